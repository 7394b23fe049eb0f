"""For tests that start a process of their own beside the test's database."""

from typing import Any
from urllib.parse import quote

from django.db import connection


def database_url() -> str:
    """This test's database as an address: by TCP, or through a socket's folder."""
    given: dict[str, Any] = connection.settings_dict
    who = quote(str(given["USER"]))
    if given["PASSWORD"]:
        who += ":" + quote(str(given["PASSWORD"]), safe="")
    port = f":{given['PORT']}" if given["PORT"] else ""
    socket = given.get("OPTIONS", {}).get("host", "")
    address = f"postgres://{who}@{given['HOST']}{port}/{given['NAME']}"
    return f"{address}?host={socket}" if socket else address
