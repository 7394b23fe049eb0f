"""One measure is one JSON line and one row of docs/performance.md."""

import json
import os
import platform
import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from config.stack.layout import ROOT

PAGE = ROOT / "docs" / "performance.md"
KEPT = ROOT / "docs" / "performance.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    measure: str
    value: float
    unit: str
    goal: float
    peer: str = ""
    """What a comparable product did on two cores (not in this run)."""
    limit: str = ""
    """The least that Django and a durable PostgreSQL would need."""
    more_is_better: bool = False
    note: str = ""

    @property
    def met(self) -> bool:
        return self.value >= self.goal if self.more_is_better else self.value <= self.goal

    def line(self) -> str:
        kept = asdict(self)
        del kept["more_is_better"]
        return json.dumps({**kept, "met": self.met}, ensure_ascii=False)


def percentile(values: Sequence[float], share: float) -> float:
    """Linear interpolation, as PostgreSQL's percentile_cont."""
    if len(values) == 1:
        return values[0]
    cuts = statistics.quantiles(values, n=1000, method="inclusive")
    return cuts[min(998, max(0, round(share * 1000) - 1))]


def write(measures: Sequence[Measure], durability: str, taken: str) -> None:
    """Replace what was measured anew; the rest of the page stays from earlier runs."""
    kept: dict[str, str] = {}
    if KEPT.exists():
        for line in KEPT.read_text().splitlines():
            kept[json.loads(line)["measure"]] = line
    kept |= {
        one.measure: json.dumps({**json.loads(one.line()), "taken": taken}, ensure_ascii=False)
        for one in measures
    }
    KEPT.write_text("\n".join(kept.values()) + "\n")
    rows = [_row(json.loads(line)) for line in kept.values()]
    PAGE.write_text(f"{_head(durability)}\n{chr(10).join(rows)}\n{_tail()}")


def _head(durability: str) -> str:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"""# Performance

Written by `make bench` (`make bench ONLY=intake` for a part), which starts a product of its own with
the demo cluster and measures it from outside; load generator, product and database share the
machine: {os.cpu_count()} cores, {memory:.0f} GiB, Python {platform.python_version()}. PostgreSQL ran
with {durability}.

| What | Measured | Goal | Met | Peer | Limit | Taken (UTC) |
|---|---|---|---|---|---|---|"""


def _row(one: dict[str, object]) -> str:
    note = f" ({one['note']})" if one.get("note") else ""
    met = "yes" if one["met"] else "**no**"
    return (
        f"| {one['measure']}{note} | {one['value']:,} {one['unit']} | {one['goal']:,} | {met} |"
        f" {one['peer']} | {one['limit']} | {one.get('taken', '')} |"
    )


def _tail() -> str:
    extra = Path(PAGE).with_name("performance-notes.md")
    return "\n" + extra.read_text() if extra.exists() else ""
