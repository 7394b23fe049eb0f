"""The databases of one data folder: embedded, or those that the environment names."""

import os
import sys
from pathlib import Path

from config.stack import leftovers
from config.stack.console import Console
from config.stack.layout import CannotStart, Layout
from config.stack.postgres import APP, OWNER, Postgres
from config.stack.supervisor import Supervisor
from config.stack.valkey import Valkey

RECOVERY_SECONDS = 120.0
VALKEY_SECONDS = 10.0


def start(
    layout: Layout, console: Console, supervisor: Supervisor, *, careless: bool = False
) -> dict[str, str]:
    """Start what the environment does not name, and return the connection data."""
    if count := leftovers.end_all(layout.var):
        console.say(f"Ended {count} processes that an interrupted earlier run had left behind.")
    kept = layout.kept()
    values = _databases(layout, console, supervisor, careless=careless)
    if url := os.environ.get("REDIS_URL"):
        values["REDIS_URL"] = url
    else:
        valkey = Valkey(layout, port=kept["valkey_port"], password=kept["valkey_password"])
        supervisor.start(valkey.child(mark(layout)))
        if not supervisor.wait_until(valkey.answers, VALKEY_SECONDS, "valkey"):
            raise CannotStart(f"Valkey did not start: {supervisor.last_words('valkey')}")
        values["REDIS_URL"] = valkey.url
    values["SECRET_KEY"] = os.environ.get("SECRET_KEY") or layout.secret_key()
    values["WARROOM_LIVE_PORT"] = kept["live_port"]
    # Empty is a value: behind a proxy, streams come from the pages' own origin.
    values["WARROOM_LIVE_URL"] = os.environ.get(
        "WARROOM_LIVE_URL", f"http://127.0.0.1:{kept['live_port']}"
    )
    return values


def _databases(
    layout: Layout, console: Console, supervisor: Supervisor, *, careless: bool
) -> dict[str, str]:
    if url := os.environ.get("DATABASE_URL"):
        return {
            "DATABASE_URL": url,
            "DATABASE_OWNER_URL": os.environ.get("DATABASE_OWNER_URL") or url,
        }
    postgres = Postgres(layout, console, careless=careless)
    postgres.prepare()
    supervisor.start(postgres.child())
    if not supervisor.wait_until(postgres.answers, RECOVERY_SECONDS, "postgres"):
        raise CannotStart(f"PostgreSQL did not start: {supervisor.last_words('postgres')}")
    postgres.make_roles()
    return {"DATABASE_URL": postgres.url(APP), "DATABASE_OWNER_URL": postgres.url(OWNER)}


def mark(layout: Layout) -> dict[str, str]:
    """By this a later start finds what a killed one left behind."""
    return {leftovers.MARK: str(layout.var)}


def environment(layout: Layout, values: dict[str, str]) -> dict[str, str]:
    """What every process of the product sees."""
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("PG")}
    tools = Path(sys.executable).parent
    return {
        "DJANGO_SETTINGS_MODULE": "config.settings.prod",
        **inherited,
        **values,
        **mark(layout),
        "PATH": f"{tools}{os.pathsep}{os.environ.get('PATH', '/usr/bin:/bin')}",
        "WARROOM_VAR": str(layout.var),
        "PYTHONUNBUFFERED": "1",
    }
