"""Scope climbs when enough siblings fail in a minute, and stays low otherwise."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from itertools import pairwise

from alerts.correlation.climber import Climber
from alerts.correlation.facts import Fact
from alerts.correlation.sets import chains
from alerts.correlation.signs import SIGNS
from alerts.correlation.topology import Topology
from alerts.correlation.units import Unit
from alerts.correlation.verdicts import Settings
from alerts.correlation.wide import behind_switches, into_wide

_POWER_SIGNS = frozenset({"node_power_off", "node_psu", "node_down"})
_HARDWARE = frozenset(
    {"card_lost", "card_memory", "card_bus", "card_power", "card_fault", "card_compute"}
)


def climb(units: list[Unit], topology: Topology, settings: Settings) -> list[Unit]:
    climber = Climber(units, topology, settings)
    same_code(climber)
    lost_nodes(climber)
    hot_nodes(climber)
    network(climber)
    climber.settle()
    behind_switches(climber)
    climber.settle()
    into_wide(climber)
    return climber.settle()


def _bursts(
    climber: Climber,
    wanted: Callable[[Fact], bool],
    key: Callable[[Fact], tuple[str, ...] | None],
    gap: timedelta,
) -> list[tuple[tuple[str, ...], list[tuple[int, Fact]]]]:
    """Runs of wanted facts under one key, each with the unit that holds it."""
    found: dict[tuple[str, ...], list[tuple[int, Fact]]] = defaultdict(list)
    for i, unit in enumerate(climber.units):
        for fact in unit.facts:
            if wanted(fact) and (name := key(fact)) is not None:
                found[name].append((i, fact))
    out = []
    for name, rows in found.items():

        def at(n: int, rows: list[tuple[int, Fact]] = rows) -> datetime:
            return rows[n][1].event_at

        for run in chains(range(len(rows)), at, gap):
            out.append((name, [rows[n] for n in run]))
    return out


def _nodes(rows: Iterable[tuple[int, Fact]]) -> set[str]:
    return {fact.place.node for _, fact in rows if fact.place.node}


def same_code(climber: Climber) -> None:
    """One code on several cards of one task in 30 s is no hardware; on 8 nodes it is one batch."""
    s = climber.settings

    def coded(fact: Fact) -> bool:
        return fact.signal.sign in _HARDWARE and bool(fact.place.node)

    def code(fact: Fact) -> tuple[str, ...] | None:
        job = fact.place.job_id
        return (fact.signal.fault_code or fact.name, job) if job else None

    for _, rows in _bursts(climber, coded, code, s.same_code):
        if len(_nodes(rows)) >= 3:
            climber.joined.join_all(i for i, _ in rows)
            for i, _ in rows:
                climber.units[i].software = True

    def batch(fact: Fact) -> tuple[str, ...] | None:
        return fact.place.region, fact.signal.fault_code or fact.name

    def any_card(fact: Fact) -> bool:
        return SIGNS[fact.signal.sign].family == "card_hard" and bool(fact.place.node)

    for _, rows in _bursts(climber, any_card, batch, s.window):
        nodes = _nodes(rows)
        drivers = all(fact.signal.sign == "driver_fault" for _, fact in rows)
        if len(nodes) >= (3 if drivers else s.code_nodes):
            climber.joined.join_all(i for i, _ in rows)
            climber.raise_level({i for i, _ in rows}, "nodes", "")


def lost_nodes(climber: Climber) -> None:
    s, wide = climber.settings, []

    def lost(fact: Fact) -> bool:
        return SIGNS[fact.signal.sign].family == "node_lost" and bool(fact.place.node)

    def home(fact: Fact) -> tuple[str, ...]:
        return fact.place.region, fact.place.supernode

    for (region, supernode), rows in _bursts(climber, lost, home, s.burst):
        nodes = _nodes(rows)
        if len(nodes) < s.many_nodes:
            continue
        members = {i for i, _ in rows}
        climber.joined.join_all(members)
        size = climber.topology.node_count(supernode, s.supernode_nodes) if supernode else 0
        if size and len(nodes) >= s.supernode_share * size:
            climber.raise_level(members, "supernode", supernode)
        else:
            climber.raise_level(members, "nodes", supernode)
        wide.append((region, min(fact.event_at for _, fact in rows), min(members)))
    _racks(climber, lost)
    _scattered(climber, lost)
    _together(climber, wide)


def _racks(climber: Climber, lost: Callable[[Fact], bool]) -> None:
    """Two nodes of one rack that lose power within a minute share the cause."""

    def power(fact: Fact) -> bool:
        return fact.signal.sign in _POWER_SIGNS and bool(fact.place.node and fact.place.rack)

    def rack(fact: Fact) -> tuple[str, ...]:
        return fact.place.region, fact.place.rack.lower()

    for _, rows in _bursts(climber, power, rack, climber.settings.burst):
        if len(_nodes(rows)) >= 2:
            members = {i for i, _ in rows}
            climber.joined.join_all(members)
            climber.raise_level(members, "nodes", "")


def _scattered(climber: Climber, lost: Callable[[Fact], bool]) -> None:
    """Many nodes of one region at once, a few in each supernode: still one cause."""

    def alone(fact: Fact) -> bool:
        return lost(fact) and fact.hard

    def region(fact: Fact) -> tuple[str, ...]:
        return (fact.place.region,)

    for _, rows in _bursts(climber, alone, region, climber.settings.burst):
        low = [(i, fact) for i, fact in rows if not climber.units[i].level]
        if len(_nodes(low)) >= 2 * climber.settings.many_nodes:
            members = {i for i, _ in low}
            climber.joined.join_all(members)
            climber.raise_level(members, "nodes", "")


def _together(climber: Climber, wide: list[tuple[str, datetime, int]]) -> None:
    """Two supernodes of one region that fall in the same minute fall for one reason."""
    for (region, at, one), (other, then, two) in pairwise(sorted(wide)):
        if region == other and then - at <= climber.settings.burst:
            climber.joined.join(one, two)


def hot_nodes(climber: Climber) -> None:
    """Heat on four nodes of one supernode or rack within five minutes is the room, not the card."""

    def hot(fact: Fact) -> bool:
        return fact.signal.sign in ("card_heat", "card_fatal_heat") and bool(fact.place.node)

    def home(fact: Fact) -> tuple[str, ...] | None:
        name = fact.place.supernode or fact.place.rack
        return (fact.place.region, name) if name else None

    for _, rows in _bursts(climber, hot, home, timedelta(minutes=5)):
        if len(_nodes(rows)) >= climber.settings.many_nodes:
            members = {i for i, _ in rows}
            climber.joined.join_all(members)
            climber.raise_level(members, "nodes", "")


def network(climber: Climber) -> None:
    """Links and switches of one plane that fail in the same minute."""
    s = climber.settings
    wide: dict[tuple[str, str], list[tuple[datetime, list[int]]]] = {}

    def net(fact: Fact) -> bool:
        return SIGNS[fact.signal.sign].family == "net_hard"

    def plane(fact: Fact) -> tuple[str, ...]:
        return fact.place.region, fact.place.supernode, fact.place.plane

    for (region, supernode, name), rows in _bursts(climber, net, plane, s.burst):
        nodes = _nodes(rows)
        down = {f.place.switch for _, f in rows if f.signal.sign == "switch_down"}
        if len(nodes) < s.many_nodes and len(down) < 2:
            continue
        members = {i for i, _ in rows}
        climber.joined.join_all(members)
        level = _network_level(climber, supernode, nodes, down)
        climber.raise_level(members, level, name)
        began = min(fact.event_at for _, fact in rows)
        wide.setdefault((region, name), []).append((began, sorted(members)))
    _over_supernodes(climber, wide)


def _over_supernodes(
    climber: Climber, wide: dict[tuple[str, str], list[tuple[datetime, list[int]]]]
) -> None:
    """A scale-out plane that fails in two supernodes in the same minute is one plane.

    UB and NVLink end with their supernode: two of them are two.
    """
    for (_, plane), rows in wide.items():
        if plane in ("ub", "nvlink", "hccs", ""):
            continue
        for (at, one), (then, two) in pairwise(sorted(rows)):
            if then - at <= climber.settings.burst:
                climber.joined.join(one[0], two[0])
                climber.raise_level([*one, *two], "plane", plane)


def _network_level(climber: Climber, supernode: str, nodes: set[str], down: set[str]) -> str:
    s = climber.settings
    size = climber.topology.node_count(supernode, 0) if supernode else 0
    enough = s.plane_share * size if size else s.plane_nodes
    if len(down) >= s.plane_switches or (len(nodes) >= enough and len(down) != 1):
        return "plane"
    return "switch" if down else "nodes"
