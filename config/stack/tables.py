"""Tables, roles and the first admin in databases that are not ours: the one-shot of the compose file."""

import os
import subprocess
import sys
from urllib.parse import unquote, urlsplit

from config.stack import wheels
from config.stack.child import run_quietly
from config.stack.layout import ROOT, CannotStart


def make() -> None:
    """
    Create the product's role as DATABASE_URL names it, migrate as DATABASE_OWNER_URL, grant.

    May run again at any time: each step does only what is missing.
    """
    owner, product = os.environ.get("DATABASE_OWNER_URL"), os.environ.get("DATABASE_URL")
    if not owner or not product:
        raise CannotStart("DATABASE_OWNER_URL (owns the tables) and DATABASE_URL must be set.")
    _make_role(owner, product)
    command = [sys.executable, "-m", "config.stack.prepare", "bootstrap"]
    environment = {"DJANGO_SETTINGS_MODULE": "config.settings.prod", **os.environ}
    if subprocess.run(command, cwd=ROOT, check=False, env=environment).returncode:
        raise CannotStart("The tables could not be made; the reason stands above.")


def _make_role(owner: str, product: str) -> None:
    parts = urlsplit(product)
    name, password = unquote(parts.username or ""), unquote(parts.password or "")
    if not name or name == unquote(urlsplit(owner).username or ""):
        return
    done = run_quietly(
        [
            *(str(wheels.postgres_bin() / "psql"), "-X", "-q", "-v", "ON_ERROR_STOP=1"),
            *("-v", f"name={name}", "-f", "-", owner),
        ],
        os.environ | {"WARROOM_ROLE_PASSWORD": password},
        text="""
        \\getenv password WARROOM_ROLE_PASSWORD
        select format('create role %I login', :'name')
         where not exists (select from pg_roles where rolname = :'name') \\gexec
        alter role :"name" login password :'password';
        """,
    )
    if done.returncode:
        raise CannotStart(f"The role {name} could not be made: {done.stdout.strip()}")
