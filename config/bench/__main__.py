"""python -m config.bench [intake clocks pages live memory]"""

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from config.bench import clocks, intake, live, memory, pages, report
from config.bench.bench import Bench
from config.bench.report import Measure
from config.stack.running import Stack

PARTS: dict[str, Callable[[Bench], Iterator[Measure]]] = {
    "intake": intake.measure,
    "live": live.measure,
    "clocks": clocks.measure,
    "pages": pages.measure,
    "memory": memory.measure,
}
DURABILITY = ("fsync", "synchronous_commit", "full_page_writes", "shared_buffers")


def main(names: list[str]) -> int:
    unknown = set(names) - PARTS.keys()
    if unknown:
        sys.stderr.write(f"No such part: {', '.join(unknown)}. There are: {', '.join(PARTS)}.\n")
        return 2
    scale = float(os.environ.get("WARROOM_BENCH_SCALE", "1"))
    measures: list[Measure] = []
    complete = True
    with (
        tempfile.TemporaryDirectory(prefix="wrb-") as folder,
        Stack(Path(folder) / "var", demo=True) as stack,
    ):
        bench = Bench(stack, scale=scale)
        shown = [f"{name} = {bench.one(f'show {name}')}" for name in DURABILITY]
        for name in names or PARTS:
            complete = _run(name, bench, measures) and complete
            if scale == 1:
                taken = datetime.now(UTC).strftime("%Y-%m-%d %H:%M")
                report.write(measures, ", ".join(shown), taken)
    return 0 if complete else 1


def _run(name: str, bench: Bench, measures: list[Measure]) -> bool:
    """One part; what it measured before it failed is kept, and the others still run."""
    try:
        for measure in PARTS[name](bench):
            print(measure.line(), flush=True)
            measures.append(measure)
    except (TimeoutError, RuntimeError) as error:
        sys.stderr.write(f"{name}: {error}\n")
        return False
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
