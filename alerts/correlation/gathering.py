"""Groups from units: late neighbours, old evidence, monitoring, and the groups that exist already."""

import itertools
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from alerts.correlation.facts import Fact
from alerts.correlation.sets import Joined, Key
from alerts.correlation.signs import SIGNS
from alerts.correlation.topology import Topology
from alerts.correlation.units import Unit, anchors, combined, merged
from alerts.correlation.verdicts import OpenGroup, Settings

# Which later trouble a small old sign explains, by families.
_EXPLAINS: dict[str, frozenset[str]] = {
    "drift": frozenset({"launch", "exit"}),
    "card_soft": frozenset({"card_hard", "card_soft", "slow", "comm"}),
    "node_soft": frozenset({"card_hard", "card_soft", "node_lost", "slow"}),
    "net_soft": frozenset({"net_hard", "retry", "comm"}),
    "node_hang": frozenset({"node_lost", "wait", "stall"}),
    "storage": frozenset({"ckpt"}),
}


@dataclass
class Gathered:
    """A unit and the open groups it continues; `keeps` were pinned there by what came before."""

    unit: Unit
    group: OpenGroup | None = None
    merged: list[OpenGroup] = field(default_factory=list)


def families(facts: Sequence[Fact]) -> set[str]:
    return {SIGNS[f.signal.sign].family for f in facts}


def last_event(unit: Unit) -> object:
    return max(f.event_at for f in (*unit.facts, *unit.symptoms))


def late_neighbours(units: list[Unit], topology: Topology, settings: Settings) -> list[Unit]:
    """The window slides from the group's latest event, not from the component's."""
    while True:
        keyed: dict[Key, list[int]] = defaultdict(list)
        for i, unit in enumerate(units):
            for key in {key for f in unit.facts for key in anchors(f, topology)}:
                keyed[key].append(i)
        joined = Joined(len(units))
        changed = False
        ends = [max(f.event_at for f in (*u.facts, *u.symptoms)) for u in units]
        for members in keyed.values():
            ordered = sorted(members, key=lambda i: units[i].order)
            for one, two in itertools.pairwise(ordered):
                if units[two].start - ends[one] <= settings.window:
                    joined.join(one, two)
                    changed = True
        if not changed:
            return units
        units = merged(units, joined)


def old_evidence(units: list[Unit], topology: Topology, settings: Settings) -> list[Unit]:
    """Pulls a small old sign into the group that it explains, up to the look-back before it."""
    at_node: dict[str, list[int]] = defaultdict(list)
    for i, unit in enumerate(units):
        for node in unit.nodes | {f.place.node for f in unit.symptoms if _own_trouble(f)}:
            at_node[node].append(i)
    launching = [
        (i, {f.place.job_id for f in u.symptoms if SIGNS[f.signal.sign].family == "launch"})
        for i, u in enumerate(units)
        if "launch" in families(u.symptoms)
    ]
    joined = Joined(len(units))
    for i, unit in enumerate(units):
        if unit.hard or unit.symptoms or not unit.facts or unit.level:
            continue
        near = {j for node in unit.nodes for j in at_node[node] if j != i}
        if "drift" in unit.families:
            near |= {j for j, jobs in launching if _runs_on(jobs, unit, topology)}
        found = [j for j in near if _explains(unit, units[j], settings)]
        if found:
            joined.join(i, min(found, key=lambda j: units[j].order))
    return merged(units, joined)


def _own_trouble(fact: Fact) -> bool:
    """A symptom that says something about its own node: it exited, it is slow."""
    return bool(fact.place.node) and SIGNS[fact.signal.sign].family == "exit"


def _runs_on(jobs: set[str], unit: Unit, topology: Topology) -> bool:
    known = [topology.jobs[job] for job in jobs if job in topology.jobs]
    return any(job.covers(f.place.node, f.place.supernode) for job in known for f in unit.facts)


def _explains(small: Unit, whole: Unit, settings: Settings) -> bool:
    if not small.start <= whole.end or whole.start - small.end > settings.look_back:
        return False
    later = whole.families | families(whole.symptoms)
    return any(_EXPLAINS.get(family, frozenset()) & later for family in small.families)


def broken_monitoring(units: list[Unit], settings: Settings) -> list[Unit]:
    """Many exporters gone at once without any other evidence is the monitoring, not the fleet."""
    joined = Joined(len(units))
    own = [i for i, u in enumerate(units) if "monitoring" in u.families]
    gone = [i for i, u in enumerate(units) if not u.facts and families(u.symptoms) == {"exporter"}]
    silent = [i for i, u in enumerate(units) if _only_silent(u)]
    blind = [i for i in own if units[i].hard]
    for j in gone:
        if len(_targets(units[j])) >= settings.monitoring_targets:
            blind.append(j)
    blind += [i for i in silent if len(_targets(units[i])) >= settings.monitoring_targets]
    for i in (*own, *blind):
        for j in (*gone, *silent, *own):
            if i != j and abs(units[i].start - units[j].start) <= settings.window:
                joined.join(i, j)
                blind.append(i)
    for i in blind:
        units[i].level = "monitoring"
    return merged(units, joined)


def _targets(unit: Unit) -> set[str]:
    return {f.place.node or f.place.path or f.name for f in (*unit.facts, *unit.symptoms)}


def _only_silent(unit: Unit) -> bool:
    """Nodes all over the place that do not answer, while no job and no other watcher minds."""
    far = len(unit.supernodes) > 1 or len(unit.regions) > 1
    return (
        far
        and unit.level != "supernode"
        and unit.signs <= {"node_down", "node_silent"}
        and "node_down" in unit.signs
        and families(unit.symptoms) <= {"exporter"}
    )


def reconcile(units: list[Unit], held: Mapping[int, OpenGroup]) -> list[Gathered]:
    """Gives every open group its home; groups of one home become one, the earliest survives.

    An episode that is in a group with an incident leaves it only by a person's hand.
    """
    rows = _without_strays(units, held)
    homes: dict[int, list[OpenGroup]] = defaultdict(list)
    for group in {g.id: g for g in held.values()}.values():
        if (home := _home(rows, group)) is not None:
            homes[home].append(group)
    out = []
    for i, unit in enumerate(rows):
        groups = sorted(homes.get(i, ()), key=_seniority)
        out.append(Gathered(unit, groups[0] if groups else None, groups[1:]))
    return out


def _seniority(group: OpenGroup) -> tuple[bool, int, object, int]:
    return group.number is None, group.number or 0, group.first_event_at, group.id


def _home(rows: Sequence[Unit], group: OpenGroup) -> int | None:
    """The unit with most of the group's causes, then with most of its episodes."""
    best, found = (0, 0), None
    for i, unit in enumerate(rows):
        causes = sum(f.episode in group.episodes for f in unit.facts)
        others = sum(f.episode in group.episodes for f in unit.symptoms)
        if (causes, others) > best:
            best, found = (causes, others), i
    return found


def _without_strays(units: list[Unit], held: Mapping[int, OpenGroup]) -> list[Unit]:
    groups = {g.id: g for g in held.values() if g.number is not None}
    if not groups:
        return units
    homes = {g.id: _home(units, g) for g in groups.values()}
    moved: dict[int, list[Fact]] = defaultdict(list)
    joined = Joined(len(units))
    for i, unit in enumerate(units):
        away = Counter(
            held[f.episode].id
            for f in (*unit.facts, *unit.symptoms)
            if f.episode in held and held[f.episode].number is not None
        )
        for group_id in away:
            home = homes[group_id]
            if home is None or home == i:
                continue
            mine = [
                f for f in (*unit.facts, *unit.symptoms) if f.episode in groups[group_id].episodes
            ]
            if len(mine) == len(unit.facts) + len(unit.symptoms):
                joined.join(home, i)
                continue
            taken = {f.episode for f in mine}
            unit.facts = [f for f in unit.facts if f.episode not in taken]
            unit.symptoms = [f for f in unit.symptoms if f.episode not in taken]
            moved[home] += mine
    for home, facts in moved.items():
        units[home].symptoms.extend(facts)
    fresh = [Unit(u.facts, u.level, u.wide, u.software, u.symptoms) for u in units]
    return [combined([u]) if len(u.facts) else u for u in merged(fresh, joined)]
