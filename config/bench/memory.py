"""Proportional set size of every process of the product, and how long a start takes."""

import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from config.bench.bench import Bench
from config.bench.report import Measure

IDLE_SECONDS = 60.0
KIB = 1024


def measure(bench: Bench) -> Iterator[Measure]:
    seconds = bench.restart()
    yield Measure(
        measure="Second start, until the workers sweep too",
        value=round(seconds, 1),
        unit="s",
        goal=10,
    )
    time.sleep(IDLE_SECONDS * bench.scale)
    root = bench.stack.supervisor.pid if bench.stack.supervisor else 0
    yield Measure(
        measure="Memory of the whole stack (PSS)",
        value=round(sum(_pss(pid) for pid in _family(root)) / KIB),
        unit="MiB",
        goal=1024,
        note="idle, every process with its children, the supervisor too",
    )


def _family(root: int) -> list[int]:
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        with suppress(OSError, ValueError):
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(entry.name))
    found = [root]
    for pid in found:
        found.extend(children.get(pid, []))
    return found


def _pss(pid: int) -> int:
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1])
    return 0
