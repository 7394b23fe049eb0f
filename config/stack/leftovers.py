"""What a killed supervisor may have left running: found by the mark in their environment."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from config.stack.layout import CannotStart

MARK = "WARROOM_STACK"
GONE_WITHIN_SECONDS = 5.0


def end_all(var: Path) -> int:
    """Kill the processes of an earlier run on this data folder, and return how many there were."""
    pids = list(_marked(var))
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    deadline = time.monotonic() + GONE_WITHIN_SECONDS
    while list(_marked(var)):
        if time.monotonic() > deadline:
            raise CannotStart(f"Processes of an earlier run do not end: {list(_marked(var))}.")
        time.sleep(0.05)
    return len(pids)


def _marked(var: Path) -> Iterator[int]:
    mark = f"{MARK}={var}".encode()
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        with suppress(OSError):
            if mark in (entry / "environ").read_bytes().split(b"\0"):
                yield int(entry.name)
