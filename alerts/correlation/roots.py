"""The suspected root of a group, and the ranked suspects with what speaks for and against each."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from alerts.correlation.facts import Fact
from alerts.correlation.failure import Evidence
from alerts.correlation.root import Root, common, level_of, node_path, when
from alerts.correlation.signs import SIGNS
from alerts.correlation.topology import Topology
from alerts.correlation.units import Unit
from alerts.correlation.verdicts import Settings

_RELEVANT: dict[str, frozenset[str]] = {
    "DRV": frozenset({"card_hard", "card_soft"}),
    "NCR": frozenset({"node_lost", "node_soft", "power", "cooling"}),
    "NHG": frozenset({"node_lost", "node_hang"}),
    "NIN": frozenset({"net_hard", "net_soft", "line"}),
    "TLF": frozenset({"drift", "service", "storage"}),
    "PSD": frozenset({"card_soft", "card_hard", "node_soft", "storage", "service", "net_soft"}),
}


@dataclass
class Finder:
    """Finds the root of one group."""

    seen: Evidence
    failure_class: str | None
    topology: Topology
    settings: Settings

    @property
    def unit(self) -> Unit:
        return self.seen.unit

    def find(self) -> Root:
        return self._wide() or self._narrow() or self._job()

    # wide -----------------------------------------------------------------------------------------
    def _wide(self) -> Root | None:
        unit, cls = self.unit, self.failure_class
        if unit.level == "monitoring":
            region = next(iter(sorted(unit.regions)), "")
            return Root("monitoring", f"{region}/monitoring".strip("/"), facts=unit.facts)
        if unit.level == "supernode":
            return self._supernode()
        if cls in ("NCR", None) and unit.families & {"power", "cooling"}:
            return self._facility()
        if unit.software:
            return None
        if cls == "NIN":
            return self._network()
        if cls in ("PSD", "TLF"):
            return self._service()
        if unit.level == "nodes":
            return self._several(self._relevant())
        return None

    def _supernode(self) -> Root:
        unit = self.unit
        region = common(f.place.region for f in unit.facts)
        lost = self._of("node_lost", "power", "cooling")
        whole = self._whole_supernodes()
        paths = [self._supernode_path(region, name) for name in whole]
        if len(whole) > 1:
            if unit.families & {"power", "cooling"}:
                return self._facility()
            return Root("region", region, paths, facts=lost, nodes=unit.nodes)
        return Root("supernode", paths[0], facts=lost, nodes=unit.nodes, supernode=whole[0])

    def _supernode_path(self, region: str, name: str) -> str:
        row = self.topology.supernodes.get(name)
        return row.path if row else "/".join(part for part in (region, name) if part)

    def _whole_supernodes(self) -> list[str]:
        counts: dict[str, set[str]] = {}
        for fact in self._of("node_lost"):
            if fact.place.node:
                counts.setdefault(fact.place.supernode, set()).add(fact.place.node)
        share, default = self.settings.supernode_share, self.settings.supernode_nodes
        return sorted(
            name
            for name, nodes in counts.items()
            if name and len(nodes) >= share * self.topology.node_count(name, default)
        ) or [self.unit.wide]

    def _facility(self) -> Root:
        facts = sorted(self._of("power", "cooling"), key=when)
        paths = list(dict.fromkeys(f.place.path for f in facts if f.place.path))
        hit = frozenset(
            f.place.node for f in self._of("node_lost", "node_soft", "card_soft") if f.place.node
        )
        return Root("facility", paths[0] if paths else "", paths, facts=facts, nodes=hit)

    def _network(self) -> Root | None:
        unit = self.unit
        if lines := self._of("line"):
            lines = sorted(lines, key=when)
            path = next((f.place.path for f in lines if f.place.line), lines[0].place.path)
            return Root("line", path, facts=lines)
        if unit.level == "plane":
            return self._plane()
        down = sorted(self._signed("switch_down"), key=when)
        if down:
            paths = list(dict.fromkeys(f.place.path for f in down))
            near = frozenset(f.place.node for f in self._of("net_hard") if f.place.node)
            return Root("switch", paths[0], paths, facts=down, nodes=near)
        wide = [f for f in self._of("net_hard") if f.place.kind == "plane"]
        if wide and not unit.nodes:
            return self._plane()
        if unit.level == "nodes":
            return self._several(self._of("net_hard"))
        return self._link()

    def _plane(self) -> Root:
        facts = self._of("net_hard")
        region = common(f.place.region for f in facts)
        supernode = self._one_supernode(facts)
        plane = common(f.place.plane for f in facts) or "network"
        subs = Counter(f.place.sub_plane for f in facts if f.place.sub_plane)
        sub = ""
        if subs:
            name, count = subs.most_common(1)[0]
            sub = name if count >= 0.9 * subs.total() else ""
        row = self.topology.supernodes.get(supernode)
        base = row.path if row else "/".join(p for p in (region, supernode) if p)
        path = "/".join(p for p in (base, f"plane:{plane}", sub) if p)
        nodes = frozenset(f.place.node for f in facts if f.place.node)
        return Root("plane", path, facts=facts, nodes=nodes, supernode=supernode)

    def _one_supernode(self, facts: Sequence[Fact]) -> str:
        told = Counter(f.place.supernode for f in facts if f.place.supernode)
        name, count = told.most_common(1)[0] if told else ("", 0)
        return name if count >= 0.9 * told.total() else ""

    def _link(self) -> Root | None:
        facts = self._of("net_hard") or self._of("net_soft")
        if not facts:
            return None
        first = min(facts, key=lambda f: (-SIGNS[f.signal.sign].weight, *when(f)))
        cards = Counter((f.place.node, f.place.card) for f in facts if f.place.node)
        if len({node for node, _ in cards}) > 1:
            return self._several(facts)
        if len(cards) > 1 and not self._one_end(facts):
            return self._several(facts)
        near = next((f for f in [first, *facts] if f.place.node), None)
        ends = [near.place.path] if near else []
        ends += [p for p in dict.fromkeys(self._far_ends(facts)) if p not in ends]
        ports = list(dict.fromkeys(f.place.port for f in facts if f.place.port and f.place.switch))
        mine = frozenset(cards)
        return Root(
            "link",
            ends[0] if ends else "",
            ends,
            ports,
            facts,
            nodes=frozenset(n for n, _ in mine),
            cards=frozenset(c for c in mine if c[1]),
        )

    def _one_end(self, facts: Sequence[Fact]) -> bool:
        return len({(f.place.switch, f.place.port) for f in facts if f.place.port}) == 1

    def _far_ends(self, facts: Sequence[Fact]) -> Iterable[str]:
        for fact in facts:
            place = fact.place
            if place.switch:
                row = self.topology.switches.get(place.switch)
                tail = f"switch:{place.switch}"
                yield row.path if row else "/".join(p for p in (place.region, tail) if p)
            elif link := self.topology.peers.get((place.node, place.card)):
                row = self.topology.switches.get(link.switch.lower())
                if row:
                    yield row.path

    def _service(self) -> Root | None:
        facts = sorted(self._of("storage", "service"), key=lambda f: (not f.hard, *when(f)))
        if facts and not (self.failure_class == "TLF" and self._of("drift")):
            path = next((f.place.path for f in facts if f.place.path), "")
            if not path:
                path = f"{common(f.place.region for f in facts)}/service:storage".strip("/")
            return Root("service", path, facts=facts)
        told = [f for f in self.unit.symptoms if SIGNS[f.signal.sign].family == "ckpt"]
        jobs = {f.place.job_id for f in told if f.place.job_id}
        nodes = {f.place.node for f in told if f.place.node}
        if self.failure_class != "PSD" or (len(jobs) < 2 and len(nodes) < 3):
            return None
        return Root("service", self._storage_of(told, jobs), facts=[])

    def _storage_of(self, told: Sequence[Fact], jobs: set[str]) -> str:
        """The storage that all the stalled jobs use, when the fleet knows one."""
        named = Counter(f.place.path for f in told if f.place.service and f.place.kind == "service")
        known = [self.topology.jobs[j].services for j in sorted(jobs) if j in self.topology.jobs]
        shared = frozenset.intersection(*known) if known else frozenset()
        for name in sorted(shared):
            row = self.topology.services.get(name.lower())
            if row and row.kind == "storage":
                return row.path
        if named:
            return named.most_common(1)[0][0]
        return f"{common(f.place.region for f in told)}/service:storage".strip("/")

    # narrow ---------------------------------------------------------------------------------------
    def _narrow(self) -> Root | None:
        if self.unit.software:
            return None
        if self.failure_class == "TLF":
            return self._several(self._of("drift")) or self._first_exits()
        facts = self._relevant()
        if not facts:
            return None
        best = max(SIGNS[f.signal.sign].weight for f in facts)
        top = [f for f in facts if SIGNS[f.signal.sign].weight >= best - 15]
        hard = [f for f in top if f.hard]
        return self._deepest(sorted(hard or top, key=when))

    def _relevant(self) -> list[Fact]:
        wanted = _RELEVANT.get(self.failure_class or "", frozenset())
        return [f for f in self.unit.facts if SIGNS[f.signal.sign].family in wanted]

    def _deepest(self, top: list[Fact]) -> Root | None:
        """The earliest one's component, or the node when another of its cards began with it."""
        first = top[0]
        if not first.place.node:
            return Root(level_of(first), first.place.path, facts=top) if first.place.path else None
        close = [f for f in top if f.event_at <= first.event_at + timedelta(seconds=5)]
        cards = {f.place.card for f in close if f.place.node == first.place.node}
        if len(cards) == 1 and first.place.card:
            card = (first.place.node, first.place.card)
            mine = [f for f in self.unit.facts if (f.place.node, f.place.card) == card]
            return Root(
                "card",
                first.place.path,
                facts=mine,
                nodes=frozenset({card[0]}),
                cards=frozenset({card}),
            )
        mine = [f for f in top if f.place.node == first.place.node]
        return Root("node", node_path(mine[0]), facts=mine, nodes=frozenset({first.place.node}))

    def _several(self, facts: Sequence[Fact]) -> Root | None:
        rows = sorted((f for f in facts if f.place.node), key=lambda f: (f.place.node, *when(f)))
        if not rows:
            return None
        paths = list(dict.fromkeys(node_path(f) for f in rows))
        nodes = frozenset(f.place.node for f in rows)
        level = "nodes" if len(nodes) > 1 else "node"
        return Root(level, paths[0], paths, facts=list(rows), nodes=nodes)

    def _first_exits(self) -> Root | None:
        """Ranks that left before anybody waited for them."""
        left = sorted(
            (f for f in self.unit.symptoms if f.signal.sign == "process_exit" and f.place.node),
            key=when,
        )
        if not left:
            return None
        close = [f for f in left if f.event_at <= left[0].event_at + timedelta(seconds=5)]
        if len({f.place.node for f in close}) > self.settings.code_nodes:
            return None
        return self._several(close)

    def _job(self) -> Root:
        """Nobody but the job itself has said anything."""
        jobs = sorted({f.place.job_id for f in (*self.unit.facts, *self.unit.symptoms)} - {""})
        if len(jobs) == 1:
            return Root("job", f"job:{jobs[0]}", facts=[])
        if jobs:
            return Root("job", f"job:{jobs[0]}", [f"job:{job}" for job in jobs], facts=[])
        facts = self.unit.facts or self.unit.symptoms
        path = next((f.place.path for f in facts if f.place.path), "")
        return Root(level_of(facts[0]) if path else "unknown", path, facts=list(self.unit.facts))

    def _of(self, *wanted: str) -> list[Fact]:
        return [f for f in self.unit.facts if SIGNS[f.signal.sign].family in wanted]

    def _signed(self, sign: str) -> list[Fact]:
        return [f for f in self.unit.facts if f.signal.sign == sign]
