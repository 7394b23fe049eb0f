"""
python -m config.stack.prepare VERB: migrate and grant as the owner, then VERB as the product.

A process of its own, and the only module here that knows Django. One process in place of three
`manage.py` saves five seconds at each start.
"""

import os
import sys

import django
from django.core.management import CommandError, call_command
from django.db import connection
from environ import Env


def main(verb: str) -> None:
    product = os.environ["DATABASE_URL"]
    os.environ["DATABASE_URL"] = os.environ.get("DATABASE_OWNER_URL") or product
    django.setup()
    call_command("migrate", interactive=False, verbosity=0)
    call_command("grant_roles", stdout=sys.stderr)
    _become(product)
    call_command("load_site", stdout=sys.stderr)
    try:
        call_command(verb)
    except CommandError as refusal:
        if verb != "bootstrap":
            raise
        sys.stdout.write(f"{refusal}\n")  # the first admin is there already


def _become(url: str) -> None:
    """Leave the owner's session, so that first data are written with the rights of the product."""
    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]
    wanted = Env.db_url_config(url)
    options = connection.settings_dict["OPTIONS"] | wanted.get("OPTIONS", {})
    connection.settings_dict.update({**wanted, "OPTIONS": options})


if __name__ == "__main__":
    main(sys.argv[1])
