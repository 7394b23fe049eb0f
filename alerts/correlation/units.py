"""Cause units: alerts about one thing, and how units become one wider thing."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property

from alerts.correlation.facts import Fact
from alerts.correlation.sets import Joined, Key, by_key, chains
from alerts.correlation.signs import CAUSE, SIGNS
from alerts.correlation.topology import Topology
from alerts.correlation.verdicts import OpenGroup, Settings


@dataclass
class Unit:
    """Facts that have one cause. `level` is set when the scope has climbed; `wide` names what."""

    facts: list[Fact]
    level: str = ""
    wide: str = ""
    software: bool = False
    symptoms: list[Fact] = field(default_factory=list)
    held: OpenGroup | None = None

    @cached_property
    def start(self) -> datetime:
        return min(f.event_at for f in self.facts or self.symptoms)

    @cached_property
    def end(self) -> datetime:
        return max(f.event_at for f in self.facts or self.symptoms)

    @cached_property
    def families(self) -> frozenset[str]:
        return frozenset(SIGNS[f.signal.sign].family for f in self.facts)

    @cached_property
    def signs(self) -> frozenset[str]:
        return frozenset(f.signal.sign for f in self.facts)

    @cached_property
    def hard(self) -> bool:
        return any(f.hard for f in self.facts)

    @cached_property
    def nodes(self) -> frozenset[str]:
        return frozenset(f.place.node for f in self.facts if f.place.node)

    @cached_property
    def supernodes(self) -> frozenset[str]:
        return frozenset(f.place.supernode for f in self.facts if f.place.supernode)

    @cached_property
    def regions(self) -> frozenset[str]:
        return frozenset(f.place.region for f in self.facts if f.place.region)

    @cached_property
    def planes(self) -> frozenset[str]:
        return frozenset(f.place.plane for f in self.facts if f.place.plane)

    @cached_property
    def switches(self) -> frozenset[str]:
        return frozenset(f.place.switch for f in self.facts if f.place.switch)

    @cached_property
    def services(self) -> frozenset[str]:
        return frozenset(f.place.service for f in self.facts if f.place.service)

    @cached_property
    def jobs(self) -> frozenset[str]:
        return frozenset(f.place.job_id for f in self.facts if f.place.job_id)

    @property
    def broad(self) -> bool:
        return self.level in BROAD or bool(
            self.families & {"power", "cooling", "storage", "service", "line"}
        )

    @cached_property
    def order(self) -> tuple[datetime, int]:
        """When it started, then its lowest episode: the same for every order of arrival."""
        return self.start, min(f.episode for f in self.facts or self.symptoms)


BROAD = frozenset({"supernode", "plane", "switch", "nodes", "region"})


def is_cause(fact: Fact) -> bool:
    sign = SIGNS[fact.signal.sign]
    if sign.kind != CAUSE:
        return False
    return fact.signal.sign != "unknown" or bool(fact.place.node or fact.place.switch)


def anchors(fact: Fact, topology: Topology) -> list[Key]:
    """The things that a cause is about; facts that share one within the window are one unit."""
    place, sign = fact.place, SIGNS[fact.signal.sign]
    if sign.family in ("power", "cooling"):
        return _facility_anchors(fact)
    if sign.scope == "service":
        name = place.service or place.part or sign.family
        return [("v", place.region, name)]
    if sign.scope == "monitoring":
        return [("mon",)]
    if sign.scope == "line":
        return [("l", place.line or place.region)]
    found = _wire(fact, topology) if sign.family in ("net_hard", "net_soft") else []
    if place.node:
        found.append(("n", place.node))
    elif place.switch and not found:
        found.append(("s", place.switch))
    elif not found and (place.plane or place.supernode):
        found.append(("pl", place.region, place.supernode, place.plane))
    if fact.signal.sign == "version_drift":
        found.append(("d", place.region, *_versions(fact)))
    return found or [("x", place.path or place.region, place.job_id, fact.signal.sign)]


def _wire(fact: Fact, topology: Topology) -> list[Key]:
    """Both ends of a link as one key, by the sender's peer or by the fleet's wiring."""
    place = fact.place
    if place.switch and place.port:
        return [("p", place.switch, place.port)]
    if place.node and place.card and not place.switch:
        link = topology.peers.get((place.node, place.card))
        if link and link.port and SIGNS[fact.signal.sign].scope == "link":
            return [("p", link.switch.lower(), link.port)]
    return []


def _facility_anchors(fact: Fact) -> list[Key]:
    place = fact.place
    found: list[Key] = []
    if place.facility:
        found.append(("f", place.region, place.facility.lower()))
    if place.rack:
        found.append(("r", place.region, place.rack.lower()))
    if place.supernode:
        found.append(("fs", place.region, place.supernode))
    return found or [("fr", place.region, SIGNS[fact.signal.sign].family)]


def _versions(fact: Fact) -> tuple[str, str]:
    said = fact.labels
    actual = said.get("actual") or said.get("actual_version") or said.get("version") or ""
    return str(actual), str(said.get("expected") or said.get("baseline") or "")


def build(
    causes: list[Fact], topology: Topology, held: Mapping[int, OpenGroup], settings: Settings
) -> list[Unit]:
    """Units of facts about one thing, within the sliding window; an open incident bridges gaps."""
    joined = Joined(len(causes))

    def at(i: int) -> datetime:
        return causes[i].event_at

    def bridged(i: int) -> bool:
        group = held.get(causes[i].episode)
        return group is not None and group.incident_open

    for key, members in by_key([anchors(f, topology) for f in causes]).items():
        if len(members) > 1:
            gap = settings.look_back if key[0] == "d" else settings.window
            for run in chains(members, at, gap, bridged):
                joined.join_all(run)
    for members in _facility_bursts(causes).values():
        for run in chains(members, at, timedelta(minutes=2)):
            joined.join_all(run)
    return [Unit(facts=[causes[i] for i in members]) for members in joined.sets()]


def _facility_bursts(causes: list[Fact]) -> dict[Key, list[int]]:
    """Feeds and plants of one region that fail together have one cause above them."""
    found: dict[Key, list[int]] = {}
    for i, fact in enumerate(causes):
        family = SIGNS[fact.signal.sign].family
        if family in ("power", "cooling") and fact.hard:
            found.setdefault((fact.place.region, family), []).append(i)
    return found


def combined(parts: Iterable[Unit]) -> Unit:
    """One unit of several; the widest level wins."""
    rows = sorted(parts, key=lambda u: u.order)
    top = max(rows, key=lambda u: RANK.get(u.level, 0))
    return Unit(
        facts=[f for part in rows for f in part.facts],
        level=top.level,
        wide=top.wide,
        software=any(part.software for part in rows),
        symptoms=[f for part in rows for f in part.symptoms],
    )


def merged(units: Iterable[Unit], joined: Joined) -> list[Unit]:
    """Units after joins."""
    rows = list(units)
    out = []
    for members in joined.sets():
        if len(members) == 1:
            out.append(rows[members[0]])
        else:
            out.append(combined(rows[i] for i in members))
    return out


RANK = {"nodes": 1, "switch": 2, "plane": 3, "supernode": 4, "monitoring": 5}
