"""Alert streams as files, read into facts the way the intake does: one episode per start."""

import csv
import itertools
import json
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from alerts.correlation import (
    CodeTable,
    Fact,
    FaultCode,
    GroupVerdict,
    OpenGroup,
    Reader,
    Rules,
    Topology,
    correlate,
    load_rules,
)

HERE = Path(__file__).resolve()
ROOT = HERE.parents[3]
SHIPPED = sorted((ROOT / "alerts" / "data" / "streams").glob("[a-h]_*.json"))
OWN = sorted((HERE.parents[1] / "scenarios").glob("*.json"))
DOMAINS = ["FAC", "HW", "DRV", "NET", "STO", "PLT", "FRM", "JOB", "TAM"]


@cache
def shipped_rules() -> Rules:
    return load_rules((ROOT / "alerts" / "data" / "rules.yaml").read_text("utf-8"))


@cache
def code_table() -> CodeTable:
    with (ROOT / "fleet" / "data" / "fault_codes.csv").open(encoding="utf-8") as rows:
        return CodeTable(
            FaultCode(
                row["code"],
                row.get("event_class") or row.get("proposed_event_class") or "",
                row.get("handling_level") or row.get("default_handling_level") or "",
            )
            for row in csv.DictReader(rows)
        )


def reader(topology: Topology | None = None) -> Reader:
    return Reader(rules=shipped_rules(), topology=topology, codes=code_table())


@dataclass(frozen=True)
class Post:
    offset: float
    alerts: tuple[dict[str, Any], ...]


@dataclass(frozen=True)
class Stream:
    name: str
    posts: tuple[Post, ...]
    wants: tuple[dict[str, Any], ...]

    def shuffled(self, seconds: float, seed: int) -> "Stream":
        chance = random.Random(seed)
        moved = [
            replace(p, offset=p.offset + chance.uniform(-seconds, seconds)) for p in self.posts
        ]
        return replace(self, posts=tuple(sorted(moved, key=lambda p: p.offset)))

    def twice(self) -> "Stream":
        return replace(self, posts=tuple(p for p in self.posts for _ in range(2)))

    def beside(self, other: "Stream") -> "Stream":
        """Both from one start; the other's instants are moved onto this one's."""
        shift = _start(self) - _start(other)
        moved = tuple(
            replace(p, alerts=tuple(_moved(a, shift) for a in p.alerts)) for p in other.posts
        )
        return Stream(
            name=f"{self.name}+{other.name}",
            posts=tuple(sorted((*self.posts, *moved), key=lambda p: p.offset)),
            wants=self.wants + other.wants,
        )


@cache
def load(path: Path) -> Stream:
    raw = json.loads(path.read_text("utf-8"))
    posts = tuple(Post(p["offset_s"], tuple(_alerts(p))) for p in raw["posts"])
    expected = raw["expected"]
    wants = tuple(expected.get("incidents", [expected]))
    start = datetime.fromisoformat(raw["start"])
    _STARTS[path.stem] = start
    return Stream(path.stem, posts, wants)


_STARTS: dict[str, datetime] = {}


def _start(stream: Stream) -> datetime:
    return _STARTS[stream.name]


def _moved(alert: dict[str, Any], shift: timedelta) -> dict[str, Any]:
    return dict(alert, shift=shift)


def _alerts(post: dict[str, Any]) -> Iterable[dict[str, Any]]:
    if "body" in post:
        alerts: list[dict[str, Any]] = post["body"]["alerts"]
        return alerts
    return _generated(post["generate"])


def _generated(g: dict[str, Any]) -> Iterable[dict[str, Any]]:
    """The compact form of stream d."""
    axes = {name: _axis(values) for name, values in g["for"].items()}
    for combo in itertools.product(*axes.values()):
        env = dict(zip(axes, combo, strict=True))
        yield {
            "status": g.get("status", "firing"),
            "labels": {k: v.format(**env) for k, v in g["labels"].items()},
            "annotations": {k: v.format(**env) for k, v in g.get("annotations", {}).items()},
            "startsAt": g["startsAt"],
            "endsAt": g.get("endsAt") or "0001-01-01T00:00:00Z",
        }


def _axis(values: Any) -> list[str]:
    if isinstance(values, dict):
        low, high = values["range"]
        return [values.get("fmt", "%d") % i for i in range(low, high + 1)]
    return [str(value) for value in values]


class Intake:
    """Keeps episodes by labels and start, as the engine's caller does."""

    def __init__(self, topology: Topology | None = None, first_id: int = 1) -> None:
        self.reader = reader(topology)
        self.ids = itertools.count(first_id)
        self.episodes: dict[tuple[str, datetime], int] = {}
        self.open: dict[str, tuple[datetime, int]] = {}
        self.facts: dict[int, Fact] = {}

    def take(self, post: Post) -> None:
        for alert in post.alerts:
            self._one(alert)

    def _one(self, alert: dict[str, Any]) -> None:
        labels = alert["labels"]
        shift = alert.get("shift", timedelta())
        start = _instant(alert["startsAt"]) + shift
        key = json.dumps(labels, sort_keys=True)
        resolved = alert["status"] == "resolved"
        episode = self.episodes.get((key, start))
        if episode is None:
            if not resolved and key in self.open and self.facts[self.open[key][1]].ended_at is None:
                return  # the same alert still fires: a repeat with a later start
            episode = self.episodes[key, start] = next(self.ids)
        fact = self.facts.get(episode)
        if fact is not None and not resolved:
            if not fact.fired:
                self.facts[episode] = replace(fact, fired=True)
            return
        if not resolved:
            self.open[key] = (start, episode)
        self.facts[episode] = self.reader.read(
            episode=episode,
            name=labels["alertname"],
            severity=labels["severity"],
            state=alert["status"],
            started_at=start,
            event_at=start,
            ended_at=_instant(alert["endsAt"]) + shift if resolved else None,
            labels=labels,
            annotations=alert["annotations"],
            is_drill=labels.get("drill") == "true",
            fired=not resolved or fact is not None,
        )


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text)


def facts_of(stream: Stream, topology: Topology | None = None) -> list[Fact]:
    intake = Intake(topology)
    for post in stream.posts:
        intake.take(post)
    return list(intake.facts.values())


def groups_of(
    facts: Sequence[Fact], topology: Topology | None = None, groups: Sequence[OpenGroup] = ()
) -> list[GroupVerdict]:
    found = correlate(facts, topology=topology, open_groups=groups)
    return [verdict for verdict in found if verdict.notable]


def post_by_post(stream: Stream, topology: Topology | None = None) -> list[GroupVerdict]:
    """As the product does it: after each post everything again, groups with incidents kept."""
    intake, numbers = Intake(topology), itertools.count(1)
    groups: dict[int, OpenGroup] = {}
    verdicts: list[GroupVerdict] = []
    for post in stream.posts:
        intake.take(post)
        verdicts = groups_of(list(intake.facts.values()), topology, list(groups.values()))
        kept: dict[int, OpenGroup] = {}
        for verdict in verdicts:
            old = groups.get(verdict.group_id or 0)
            number = old.number if old else None
            if number is None and (verdict.facts["hard_error"] or verdict.facts["job_symptom"]):
                number = next(numbers)
            pk = verdict.group_id or max([0, *groups, *kept]) + 1
            kept[pk] = OpenGroup(
                id=pk,
                episodes=frozenset(verdict.episodes),
                first_event_at=verdict.first_event_at,
                last_event_at=verdict.last_event_at,
                number=number,
                incident_open=number is not None,
                is_drill=verdict.is_drill,
            )
        groups = kept
    return verdicts


def tier_of(verdict: GroupVerdict, *, assured: bool = False) -> int:
    """The tier table of domain.md 2.3 over the facts: what the room above does with them."""
    f = verdict.facts
    wide = f["supernodes_whole"] or f["plane"] or f["line"] or f["control_plane"]
    many = f["jobs_hit"] >= 2 or f["code_nodes_max"] >= 8 or f["services_shared"]
    window = assured and f["job_interrupted"]
    return 2 if wide or many or f["no_usable_checkpoint"] or window else 3


def domains_of(verdict: GroupVerdict, tier: int) -> set[str]:
    """The R cells of domain.md 2.3 under their conditions, the root's owner, TAM at tier 2."""
    f, ckpt = verdict.facts, verdict.subtype == "PSD-CKPT"
    many = f["nodes_hit"] > 3
    cells = {
        "TLF": {"DRV", "PLT", "FRM", "JOB"},
        "PSD": {"PLT", "FRM"}
        | ({"STO"} if ckpt else {"HW"})
        | ({"NET"} if f["network"] else set()),
        "NHG": {"HW", "DRV", "PLT", "FRM"},
        "NCR": {"HW", "PLT", "FRM"}
        | ({"NET"} if many else set())
        | ({"FAC"} if many or f["power_or_cooling"] else set()),
        "NIN": {"NET", "PLT", "FRM"} | (set() if f["line"] else {"HW"}),
        "DRV": {"HW", "DRV", "PLT"},
    }.get(verdict.failure_class or "", {"PLT"})
    return cells | owner_of(verdict) | ({"TAM"} if tier == 2 else set())


def owner_of(verdict: GroupVerdict) -> set[str]:
    level, f = verdict.root["level"], verdict.facts
    if level in ("card", "node", "supernode"):
        return {"HW", "FAC"} if f["power_or_cooling"] else {"HW"}
    if level == "nodes":
        return {"DRV"} if f["version_cause"] else {"HW"}
    if level in ("link", "switch", "plane", "line"):
        return {"NET"}
    if level == "service":
        return {"PLT"} if f["control_plane"] else {"STO"}
    return {"facility": {"FAC"}, "job": {"FRM"}}.get(level, {"PLT"})
