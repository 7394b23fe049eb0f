"""
A product of three small processes under the real supervisor, so that its tests take seconds.

`python -m tests.stack.tiny` is to this what `python -m config.stack up` is to War Room.
"""

import asyncio
import os
import sys
import time
from collections.abc import Callable, Iterable
from typing import Any

from config.stack.console import Console
from config.stack.layout import Layout
from config.stack.product import Product
from config.stack.table import Process

GRANIAN = ("granian", "--workers", "1", "--workers-kill-timeout", "1", "--no-ws")
PROCESSES = (
    Process(name="web", command=(*GRANIAN, "--interface", "wsgi", "tests.stack.tiny:web")),
    Process(name="live", command=(*GRANIAN, "--interface", "asgi", "tests.stack.tiny:live")),
    Process(name="worker", command=("python", "-m", "tests.stack.tiny", "work")),
)
HELLO = ("python", "-m", "tests.stack.tiny", "hello")


def web(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [b"well\n"]


async def live(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """An endless stream, as an open page holds it."""
    if scope["type"] != "http":
        return
    await send({"type": "http.response.start", "status": 200, "headers": []})
    while True:
        await send({"type": "http.response.body", "body": b": here\n\n", "more_body": True})
        await asyncio.sleep(0.2)


def work() -> None:
    sys.stdout.write("POST /hooks/alertmanager/very-secret-key 202\n")
    sys.stdout.flush()
    while True:
        time.sleep(1)


def up() -> int:
    console = Console([process.name for process in PROCESSES])
    port = int(os.environ["PORT"])
    layout = Layout.of_environment()
    return Product(layout, console, port=port, processes=PROCESSES, prepare=HELLO).run()


if __name__ == "__main__":
    if "work" in sys.argv:
        work()
    elif "hello" in sys.argv:
        sys.stdout.write("admin / tiny\n")
    else:
        sys.exit(up())
