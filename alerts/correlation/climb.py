"""Scope climbs when enough siblings fail in a minute, and stays low otherwise."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from alerts.correlation.facts import Fact
from alerts.correlation.sets import Joined, chains
from alerts.correlation.signs import SIGNS
from alerts.correlation.topology import Topology
from alerts.correlation.units import RANK, Unit, merged
from alerts.correlation.verdicts import Settings

_POWER_SIGNS = frozenset({"node_power_off", "node_psu", "node_down"})
_HARDWARE = frozenset(
    {"card_lost", "card_memory", "card_bus", "card_power", "card_fault", "card_compute"}
)


@dataclass
class Climber:
    """One pass over the units; `joined` and `levels` are indexed by unit."""

    units: list[Unit]
    topology: Topology
    settings: Settings

    def __post_init__(self) -> None:
        self.joined = Joined(len(self.units))

    def raise_level(self, members: Iterable[int], level: str, wide: str) -> None:
        """A wider level is never lowered again."""
        for i in members:
            if RANK[level] > RANK.get(self.units[i].level, 0):
                self.units[i].level, self.units[i].wide = level, wide

    def settle(self) -> list[Unit]:
        self.units = merged(self.units, self.joined)
        self.joined = Joined(len(self.units))
        return self.units


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
    for (region, at, one), (other, then, two) in zip(sorted(wide), sorted(wide)[1:], strict=False):
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

    def net(fact: Fact) -> bool:
        return SIGNS[fact.signal.sign].family == "net_hard"

    def plane(fact: Fact) -> tuple[str, ...]:
        return fact.place.region, fact.place.supernode, fact.place.plane

    for (_, supernode, name), rows in _bursts(climber, net, plane, s.burst):
        nodes = _nodes(rows)
        down = {f.place.switch for _, f in rows if f.signal.sign == "switch_down"}
        if len(nodes) < s.many_nodes and len(down) < 2:
            continue
        members = {i for i, _ in rows}
        climber.joined.join_all(members)
        level = _network_level(climber, supernode, nodes, down)
        climber.raise_level(members, level, name)


def _network_level(climber: Climber, supernode: str, nodes: set[str], down: set[str]) -> str:
    s = climber.settings
    size = climber.topology.node_count(supernode, 0) if supernode else 0
    enough = s.plane_share * size if size else s.plane_nodes
    if len(down) >= s.plane_switches or (len(nodes) >= enough and len(down) != 1):
        return "plane"
    return "switch" if down else "nodes"


def behind_switches(climber: Climber) -> None:
    """What hangs on a switch that is down is not a cause of its own."""
    down = [i for i, u in enumerate(climber.units) if "switch_down" in u.signs]
    if not down:
        return
    for i, unit in enumerate(climber.units):
        if "switch_down" in unit.signs or not unit.families & {"net_hard", "net_soft"}:
            continue
        found = [d for d in down if _behind(climber, unit, climber.units[d])]
        if len(found) == 1:
            _lift(climber, i, found[0])
    for d in down:
        if not climber.units[d].level:
            climber.units[d].level = "switch"


def _lift(climber: Climber, i: int, d: int) -> None:
    climber.joined.join(i, d)
    if climber.units[d].level != "plane":
        climber.units[i].level = climber.units[d].level = "switch"


def _behind(climber: Climber, unit: Unit, switch: Unit) -> bool:
    s = climber.settings
    if unit.start < switch.start - s.skew or unit.start > switch.end + s.window:
        return False
    peers = set(unit.switches) | {
        link.switch.lower()
        for f in unit.facts
        if (link := climber.topology.peers.get((f.place.node, f.place.card)))
    }
    if peers:
        return bool(peers & switch.switches)
    if unit.planes and switch.planes and not unit.planes & switch.planes:
        return False
    if unit.supernodes and switch.supernodes and not unit.supernodes & switch.supernodes:
        return False
    same = not unit.regions or not switch.regions or bool(unit.regions & switch.regions)
    return same and unit.start <= switch.start + 2 * s.burst


def into_wide(climber: Climber) -> None:
    """A lost supernode, plane or feed takes in what it explains."""
    wide = [i for i, u in enumerate(climber.units) if u.level or u.families & {"power", "cooling"}]
    for w in wide:
        whole = climber.units[w]
        for i, unit in enumerate(climber.units):
            if i != w and _explained(unit, whole, climber):
                climber.joined.join(i, w)


def _explained(unit: Unit, whole: Unit, climber: Climber) -> bool:
    s = climber.settings
    if unit.families & {"drift", "line", "storage", "service", "monitoring"}:
        return False
    if whole.families & {"power", "cooling"} and not whole.level:
        return _fed(unit, whole, climber)
    if unit.start < whole.start - s.skew or unit.start > whole.end + s.window:
        return False
    if whole.level == "supernode":
        return whole.wide in unit.supernodes and len(unit.supernodes) == 1
    if whole.level == "plane" and unit.families <= {"net_hard", "net_soft", "unknown"}:
        near = bool(unit.supernodes & whole.supernodes) or not whole.supernodes
        return near and bool(unit.planes & whole.planes or not unit.planes)
    return False


def _fed(unit: Unit, feed: Unit, climber: Climber) -> bool:
    """Whether a facility unit explains lost or hot nodes: by feed, rack, supernode, or alone."""
    s = climber.settings
    cooling = "cooling" in feed.families and "power" not in feed.families
    hit = {"card_soft", "card_hard"} if cooling else {"node_lost", "node_soft"}
    if not unit.families & (hit | {"node_lost"}):
        return False
    if cooling and not unit.signs & {
        "card_heat",
        "card_fatal_heat",
        "card_throttle",
        "node_down",
        "node_silent",
        "node_power_off",
    }:
        return False
    if unit.start < feed.start - s.skew or unit.start > feed.end + s.window:
        return False
    supernodes, racks = _feeds(feed, climber.topology)
    own = {f.place.rack.lower() for f in unit.facts if f.place.rack}
    if racks and own:
        return bool(racks & own)
    if supernodes:
        return bool(supernodes & unit.supernodes)
    if racks:
        return False
    near = bool(feed.regions & unit.regions) or not feed.regions or not unit.regions
    return near and bool(unit.level) and unit.start <= feed.end + 5 * s.burst


def _feeds(feed: Unit, topology: Topology) -> tuple[set[str], set[str]]:
    supernodes, racks = set(feed.supernodes), set()
    for fact in feed.facts:
        if fact.place.rack:
            racks.add(fact.place.rack.lower())
        if row := topology.facilities.get(fact.place.facility.lower()):
            supernodes |= {name.lower() for name in row.supernodes}
            racks |= {name.lower() for name in row.racks}
    return supernodes, racks
