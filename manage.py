#!/usr/bin/env python
"""The operator's door. In any terminal it finds the running product by $WARROOM_VAR/run/env."""

import os
import sys
from pathlib import Path

# Verbs that change tables belong to the owner of the tables; everything else is the product's own role.
OWNER_VERBS = {"migrate", "grant_roles", "sqlmigrate", "dbshell", "backup", "restore"}


def load_run_env() -> None:
    """Take connection data from the running product when the environment names none."""
    base = Path(__file__).resolve().parent
    run_env = Path(os.environ.get("WARROOM_VAR", base / "var")) / "run" / "env"
    if "DATABASE_URL" not in os.environ and run_env.exists():
        for line in run_env.read_text().splitlines():
            key, _, value = line.partition("=")
            if key and not key.startswith("#"):
                os.environ.setdefault(key.strip(), value.strip().strip("'\""))
    if len(sys.argv) > 1 and sys.argv[1] in OWNER_VERBS and "DATABASE_OWNER_URL" in os.environ:
        os.environ["DATABASE_URL"] = os.environ["DATABASE_OWNER_URL"]


def main() -> None:
    load_run_env()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.prod")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
