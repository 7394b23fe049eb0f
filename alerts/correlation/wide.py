"""What a switch, a supernode, a plane or a feed that is gone explains."""

from alerts.correlation.climber import Climber
from alerts.correlation.topology import Topology
from alerts.correlation.units import Unit


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
    return _same_region(unit, switch) and unit.start <= switch.start + 2 * s.burst


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
        if not unit.supernodes and not unit.nodes:
            return unit.families <= {"net_hard", "net_soft"} and _same_region(unit, whole)
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
    racks = racks if racks & set(climber.topology.racks) else set()
    own = {f.place.rack.lower() for f in unit.facts if f.place.rack}
    told = {f.place.rack.lower() for f in feed.facts if f.place.rack}
    if own and (racks or told):
        return bool((racks | told) & own)
    if supernodes:
        return bool(supernodes & unit.supernodes)
    if racks:
        return False
    return _same_region(unit, feed) and bool(unit.level) and unit.start <= feed.end + 5 * s.burst


def _feeds(feed: Unit, topology: Topology) -> tuple[set[str], set[str]]:
    supernodes, racks = set(feed.supernodes), set()
    for fact in feed.facts:
        if fact.place.rack:
            racks.add(fact.place.rack.lower())
        if row := topology.facilities.get(fact.place.facility.lower()):
            supernodes |= {name.lower() for name in row.supernodes}
            racks |= {name.lower() for name in row.racks}
    return supernodes, racks


def _same_region(one: Unit, other: Unit) -> bool:
    return not one.regions or not other.regions or bool(one.regions & other.regions)
