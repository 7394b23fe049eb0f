"""Symptoms find the unit that explains them: by place, by job, by service, causes before victims."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

from alerts.correlation.facts import Fact
from alerts.correlation.sets import chains
from alerts.correlation.signs import SIGNS
from alerts.correlation.topology import Job, Topology
from alerts.correlation.units import Unit
from alerts.correlation.verdicts import OpenGroup, Settings

# How well a family of causes explains a family of symptoms: 0 not at all, 3 typically.
# Own judgement from domain.md 2.2 and 2.4; symptoms in columns.
_COLUMNS = (
    "stall",
    "exit",
    "wait",
    "launch",
    "slow",
    "comm",
    "ckpt",
    "retry",
    "nan",
    "exporter",
    "other",
)
_MATCH: dict[str, tuple[int, ...]] = {
    "card_hard": (3, 3, 3, 2, 1, 1, 0, 1, 3, 1, 2),
    "card_soft": (1, 1, 1, 0, 3, 3, 0, 0, 1, 0, 1),
    "node_lost": (3, 3, 3, 2, 1, 1, 0, 2, 0, 3, 2),
    "node_hang": (2, 2, 3, 1, 1, 1, 0, 0, 0, 3, 1),
    "node_soft": (1, 1, 1, 1, 2, 1, 0, 0, 0, 1, 1),
    "power": (2, 2, 2, 1, 0, 0, 0, 1, 0, 2, 0),
    "cooling": (1, 1, 1, 0, 2, 1, 0, 0, 0, 0, 0),
    "net_hard": (2, 2, 3, 2, 2, 2, 1, 3, 0, 1, 2),
    "net_soft": (1, 1, 1, 1, 2, 2, 0, 2, 0, 0, 1),
    "storage": (2, 2, 1, 2, 2, 0, 3, 0, 0, 0, 1),
    "service": (1, 1, 1, 3, 1, 0, 1, 0, 0, 0, 1),
    "drift": (1, 2, 1, 3, 1, 0, 0, 0, 0, 0, 0),
    "line": (2, 1, 2, 1, 2, 2, 2, 1, 0, 0, 1),
}
_AT = {family: n for n, family in enumerate(_COLUMNS)}
# Families that tell of one trouble of a job and are placed together.
_TOGETHER = {"exit": "stall", "wait": "stall", "comm": "slow"}


def match(unit: Unit, family: str) -> int:
    column = _AT.get(family)
    if column is None:
        return 0
    plane = "storage" in unit.planes and family == "ckpt" and "net_hard" in unit.families
    best = max((_MATCH[f][column] for f in unit.families if f in _MATCH), default=0)
    return 3 if plane else best


@dataclass
class Cluster:
    """Symptoms of one kind of one job, within the sliding window."""

    job: str
    family: str
    facts: list[Fact]

    @cached_property
    def start(self) -> datetime:
        return self.facts[0].event_at

    @cached_property
    def end(self) -> datetime:
        return self.facts[-1].event_at

    @cached_property
    def regions(self) -> frozenset[str]:
        return frozenset(f.place.region for f in self.facts if f.place.region)

    @cached_property
    def supernodes(self) -> frozenset[str]:
        return frozenset(f.place.supernode for f in self.facts if f.place.supernode)

    @cached_property
    def services(self) -> frozenset[str]:
        return frozenset(f.place.service for f in self.facts if f.place.service)


class Attachment:
    """Places every symptom of one run; what finds no unit is in `left`."""

    def __init__(
        self,
        units: Sequence[Unit],
        topology: Topology,
        settings: Settings,
        held: dict[int, OpenGroup],
    ) -> None:
        self.units = sorted(units, key=lambda u: u.order)
        self.topology = topology
        self.settings = settings
        self.held = held
        self.left: list[Cluster] = []
        self._at_node: dict[str, list[Unit]] = defaultdict(list)
        self._ends: dict[int, datetime] = {id(u): u.end for u in self.units}
        for unit in self.units:
            unit.held = next((held[f.episode] for f in unit.facts if f.episode in held), None)
            for node in unit.nodes:
                self._at_node[node].append(unit)
        self._whole = [u for u in self.units if u.level == "supernode"]

    def place(self, symptoms: Iterable[Fact]) -> None:
        rows = sorted(symptoms, key=lambda f: (f.event_at, f.episode))
        launching = {f.place.job_id for f in rows if SIGNS[f.signal.sign].family == "launch"}
        away = [f for f in rows if not self._by_place(f, launching)]
        for cluster in self._clusters(away):
            self._by_cause(cluster)

    # by place -------------------------------------------------------------------------------------
    def _by_place(self, fact: Fact, launching: set[str]) -> bool:
        """A symptom on a node that has a cause of its own belongs there when the cause fits it."""
        place, family = fact.place, SIGNS[fact.signal.sign].family
        if not place.node:
            return False
        found = list(self._at_node.get(place.node, ()))
        found += [u for u in self._whole if u.wide == place.supernode and u not in found]
        best, unit = 0, None
        for one in found:
            score = match(one, family)
            if one.families == {"drift"} and place.job_id not in launching:
                score = 0
            if score > best and self._in_time(one, fact.event_at, score):
                best, unit = score, one
        if unit is None or best < 2:
            return False
        self._add(unit, fact)
        return True

    def _in_time(self, unit: Unit, at: datetime, score: int) -> bool:
        s = self.settings
        if at < unit.start - s.skew:
            return False
        if unit.held is not None and unit.held.incident_open:
            return True
        reach = s.window if unit.hard or score < 2 else s.look_back
        return at <= self._ends[id(unit)] + reach

    def _add(self, unit: Unit, fact: Fact) -> None:
        unit.symptoms.append(fact)
        self._ends[id(unit)] = max(self._ends[id(unit)], fact.event_at)

    # by job ---------------------------------------------------------------------------------------
    def job_of(self, fact: Fact) -> str:
        place = fact.place
        if place.job_id or not place.node:
            return place.job_id
        jobs = self.topology.jobs_at(place.node, place.supernode)
        return jobs[0] if len(jobs) == 1 else ""

    def _clusters(self, facts: list[Fact]) -> list[Cluster]:
        found: dict[tuple[str, str, str], list[int]] = defaultdict(list)
        for i, fact in enumerate(facts):
            family = SIGNS[fact.signal.sign].family
            job = self.job_of(fact)
            where = "" if job else (fact.place.region or "-")
            if family == "exporter":
                where = f"{where}:{fact.place.node}"
                job = ""
            found[job, _TOGETHER.get(family, family), where].append(i)
        out = []
        for (job, family, _), members in found.items():
            for run in chains(
                members, lambda i: facts[i].event_at, self.settings.window, self._bridge(facts)
            ):
                out.append(Cluster(job, family, [facts[i] for i in run]))
        return sorted(out, key=lambda c: (c.start, c.job, c.family, c.facts[0].episode))

    def _bridge(self, facts: list[Fact]) -> Callable[[int], bool]:
        def bridged(i: int) -> bool:
            group = self.held.get(facts[i].episode)
            return group is not None and group.incident_open

        return bridged

    def _by_cause(self, cluster: Cluster) -> None:
        found = [(s, u) for u in self.units if (s := self._score(cluster, u)) > 0]
        left: list[Fact] = []
        now: Unit | None = None
        for fact in cluster.facts:
            now = self._choose(fact, found, now)
            if now is None:
                left.append(fact)
            else:
                self._add(now, fact)
        if left:
            self.left.append(Cluster(cluster.job, cluster.family, left))

    def _choose(self, fact: Fact, found: list[tuple[int, Unit]], now: Unit | None) -> Unit | None:
        """The best unit that had begun; failing that one that begins within the window after."""
        family = SIGNS[fact.signal.sign].family
        begun = [(s, u) for s, u in found if self._in_time(u, fact.event_at, match(u, family))]
        if not begun:
            late = [
                (s, u)
                for s, u in found
                if s >= 10 and fact.event_at < u.start <= fact.event_at + self.settings.window
            ]
            return max(late, key=_best(late, now))[1] if late else None
        return max(begun, key=_best(begun, now))[1]

    def _score(self, cluster: Cluster, unit: Unit) -> int:
        s = self.settings
        if unit.start > cluster.end + s.window:
            return 0
        stays = unit.held is not None and unit.held.incident_open
        if not stays and cluster.start > self._ends[id(unit)] + s.look_back:
            return 0
        fit = max(match(unit, SIGNS[f.signal.sign].family) for f in cluster.facts[:1])
        if not fit:
            return 0
        near = self.relation(cluster, unit)
        if not near or fit + near < 3 or (near == 1 and not (unit.hard or unit.broad)):
            return 0
        old = stays and cluster.start > self._ends[id(unit)] + s.window
        return 4 * fit + 3 * near - (6 if old else 0)

    def relation(self, cluster: Cluster, unit: Unit) -> int:
        """3: the unit is on the job for sure; 2: nearby; 1: only the region fits; 0: not related."""
        if cluster.job and cluster.job in unit.jobs:
            return 3
        if unit.regions and cluster.regions and not unit.regions & cluster.regions:
            return 0
        if "storage" in unit.families and (known := self._by_service(cluster, unit)) is not None:
            return known
        if unit.jobs and cluster.job and not unit.broad:
            return 0
        info = self.topology.jobs.get(cluster.job)
        if info is not None and info.placed:
            if self._touches(info, unit):
                return 3
            return 1 if unit.broad else 0
        if unit.supernodes and unit.supernodes & cluster.supernodes:
            return 2
        return 1

    def _by_service(self, cluster: Cluster, unit: Unit) -> int | None:
        if unit.services & cluster.services:
            return 3
        info = self.topology.jobs.get(cluster.job)
        if info is None or not info.services or not unit.services & set(self.topology.services):
            return 2 if cluster.family == "ckpt" else None
        return 3 if unit.services & {name.lower() for name in info.services} else 0

    def _touches(self, info: Job, unit: Unit) -> bool:
        nodes = self.topology.nodes
        if any(
            info.covers(n, nodes[n].supernode if n in nodes else "") or info.covers(n, "")
            for n in unit.nodes
        ):
            return True
        if unit.supernodes and any(sn in info.supernodes for sn in unit.supernodes):
            return True
        if not unit.nodes and any(info.covers("", sn) for sn in unit.supernodes):
            return True
        return bool(unit.services & {name.lower() for name in info.services})


def _best(
    found: list[tuple[int, Unit]], now: Unit | None
) -> Callable[[tuple[int, Unit]], tuple[int, bool, timedelta, int]]:
    """Highest score; among equals the one already chosen, then whatever began first."""
    first = min(u.order for _, u in found)

    def key(row: tuple[int, Unit]) -> tuple[int, bool, timedelta, int]:
        score, unit = row
        return score, unit is now, first[0] - unit.start, -unit.order[1]

    return key
