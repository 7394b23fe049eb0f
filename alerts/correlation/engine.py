"""From the set of episodes to groups."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from alerts.correlation.climb import climb
from alerts.correlation.facts import Fact
from alerts.correlation.failure import Evidence, failure_class
from alerts.correlation.gathering import (
    Gathered,
    broken_monitoring,
    late_neighbours,
    old_evidence,
    reconcile,
)
from alerts.correlation.leftovers import rootless
from alerts.correlation.radius import Radius
from alerts.correlation.root import Root, text
from alerts.correlation.roots import Finder
from alerts.correlation.signs import IGNORED, SIGNS, SYMPTOM
from alerts.correlation.symptoms import Attachment
from alerts.correlation.topology import Topology
from alerts.correlation.units import Unit, build, is_cause
from alerts.correlation.verdicts import GroupVerdict, OpenGroup, Settings
from alerts.correlation.weighing import cause, suspects, weigh

_EMPTY = Topology()
_DEFAULTS = Settings()
_LAYERS = {
    "FAC": "L0",
    "facility": "L0",
    "hardware": "L1",
    "network": "L2",
    "platform": "L3",
    "framework": "L4",
    "job": "L5",
}


def correlate(
    facts: Sequence[Fact],
    *,
    topology: Topology | None = None,
    open_groups: Sequence[OpenGroup] = (),
    settings: Settings | None = None,
) -> list[GroupVerdict]:
    """Every group these facts make. The answer depends on the set of facts, not on their order.

    Drills and real alerts never share a group. A fact that is only a resolve (`fired` False) makes
    nothing and explains nothing.
    """
    tree, limits = topology or _EMPTY, settings or _DEFAULTS
    rows = sorted({f.episode: f for f in _latest(facts)}.values(), key=lambda f: f.episode)
    out: list[GroupVerdict] = []
    for drill in (False, True):
        mine = [f for f in rows if f.is_drill is drill and f.fired]
        groups = [g for g in open_groups if g.is_drill is drill]
        for found in _gather(mine, tree, groups, limits):
            out.append(_verdict(found, tree, limits, drill))
    return sorted(out, key=lambda v: (v.first_event_at, v.episodes))


def _latest(facts: Iterable[Fact]) -> list[Fact]:
    """Of two readings of one episode the more advanced one, in whatever order they come."""
    return sorted(facts, key=lambda f: (f.ended_at is not None, f.event_at, f.severity, f.name))


def _gather(
    facts: list[Fact], topology: Topology, groups: Sequence[OpenGroup], settings: Settings
) -> list[Gathered]:
    owned = {episode: group for group in groups for episode in group.pinned}
    held = {episode: group for group in groups for episode in group.episodes}
    free = [f for f in facts if f.episode not in owned]
    units = _units(free, topology, held, settings)
    rows = reconcile(units, held)
    return _with_pinned(rows, [f for f in facts if f.episode in owned], owned)


def _units(
    facts: list[Fact], topology: Topology, held: dict[int, OpenGroup], settings: Settings
) -> list[Unit]:
    causes = [f for f in facts if is_cause(f)]
    loose = [f for f in facts if SIGNS[f.signal.sign].kind == SYMPTOM]
    units = climb(build(causes, topology, held, settings), topology, settings)
    attachment = Attachment(units, topology, settings, held)
    attachment.place(loose)
    units += rootless(attachment.left, units, topology, settings, held)
    units = late_neighbours(units, topology, settings)
    units = old_evidence(units, topology, settings)
    return broken_monitoring(units, settings)


def _with_pinned(
    rows: list[Gathered], facts: list[Fact], owned: Mapping[int, OpenGroup]
) -> list[Gathered]:
    """What a person put somewhere stays there, whatever it would have joined by itself."""
    homes = {row.group.id: row for row in rows if row.group is not None}
    for fact in facts:
        group = owned[fact.episode]
        row = homes.get(group.id)
        if row is None:
            row = homes[group.id] = Gathered(Unit(facts=[]), group)
            rows.append(row)
        side = row.unit.symptoms if SIGNS[fact.signal.sign].kind == SYMPTOM else row.unit.facts
        side.append(fact)
    return rows


def _verdict(found: Gathered, topology: Topology, settings: Settings, drill: bool) -> GroupVerdict:
    unit = found.unit
    unit = Unit(unit.facts, unit.level, unit.wide, unit.software, unit.symptoms)
    seen = Evidence(unit, settings)
    cls, subtype = failure_class(seen)
    root = Finder(seen, cls, topology, settings).find()
    root.cause = cause(root, unit, cls)
    weigh(root, seen, cls)
    radius = Radius(seen, root, cls, topology, settings)
    why = _explain(cls, unit, root)
    everything = radius.everything
    at = [f.event_at for f in everything]
    return GroupVerdict(
        group_id=found.group.id if found.group else None,
        merged=tuple(group.id for group in found.merged),
        episodes=tuple(sorted(f.episode for f in everything)),
        roles=_roles(unit, root, notable=bool(cls) or unit.level == "monitoring"),
        failure_class=cls,
        subtype=subtype,
        event_class=_event_class(cls, root, unit),
        root=root.as_json(),
        suspects=suspects(root, seen),
        affected=radius.affected(),
        impact=radius.impact(),
        facts=radius.facts(why),
        region=_region(unit, root),
        layer=_layer(root),
        is_drill=drill,
        first_event_at=min(at),
        last_event_at=max(at),
        explain=tuple(why),
    )


def _roles(unit: Unit, root: Root, *, notable: bool) -> dict[int, str]:
    """Contract words: cause, victim, unrelated, unknown."""
    if not notable:
        return dict.fromkeys((f.episode for f in (*unit.facts, *unit.symptoms)), "unrelated")
    mine = {f.episode for f in root.facts}
    roles = {f.episode: "victim" for f in unit.symptoms}
    for fact in unit.facts:
        other = "unknown" if fact.signal.sign == "unknown" else "cause"
        near = fact.episode in mine or not root.nodes or fact.place.node in root.nodes
        roles[fact.episode] = other if near or not fact.place.node else "victim"
    return roles


def _event_class(cls: str | None, root: Root, unit: Unit) -> str:
    if cls == "NHG":
        return "E7"
    if cls in (None, "NCR", "TLF"):
        return ""
    best = sorted(
        (f for f in root.facts if f.signal.event_class),
        key=lambda f: (-SIGNS[f.signal.sign].weight, f.event_at, f.episode),
    )
    if best:
        return best[0].signal.event_class
    told = [f.signal.event_class for f in unit.symptoms if f.signal.sign == "comm_error"]
    return told[0] if told and cls == "NIN" else ""


def _region(unit: Unit, root: Root) -> str:
    rows: Sequence[Fact] = root.facts or unit.facts or unit.symptoms
    found = sorted({f.place.region for f in rows if f.place.region})
    return found[0] if found else next(iter(sorted(unit.regions)), "")


def _layer(root: Root) -> str:
    if root.level == "facility":
        return "L0"
    if root.level in ("link", "switch", "plane", "line"):
        return "L2"
    if root.level in ("service", "monitoring", "region"):
        return "L3"
    return "L5" if root.level in ("job", "unknown") else "L1"


def _explain(cls: str | None, unit: Unit, root: Root) -> list[dict[str, Any]]:
    """Why this class and this root, as codes for the reader's language."""
    out = [text(f"class_{cls.lower()}" if cls else "class_none")]
    out.append(text("root_level", level=root.level))
    if unit.level:
        out.append(text("scope_climbed", level=unit.level, count=len(root.nodes)))
    if unit.software:
        out.append(text("same_code_not_hardware"))
    if unit.symptoms:
        out.append(text("symptoms", count=len(unit.symptoms)))
    return out


def ignored(fact: Fact) -> bool:
    """Whether a fact is recorded only: a test, advice, a sender that lost its data."""
    return SIGNS[fact.signal.sign].kind == IGNORED


def event_span(facts: Sequence[Fact]) -> tuple[datetime, datetime]:
    at = [f.event_at for f in facts]
    return min(at), max(at)
