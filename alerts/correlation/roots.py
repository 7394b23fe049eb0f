"""The suspected root of a group, and the ranked suspects with what speaks for and against each."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from alerts.correlation.facts import Fact
from alerts.correlation.failure import Evidence
from alerts.correlation.signs import SIGNS
from alerts.correlation.topology import Topology
from alerts.correlation.units import Unit
from alerts.correlation.verdicts import Settings

Text = dict[str, Any]
_RELEVANT: dict[str, frozenset[str]] = {
    "DRV": frozenset({"card_hard", "card_soft"}),
    "NCR": frozenset({"node_lost", "node_soft", "power", "cooling"}),
    "NHG": frozenset({"node_lost", "node_hang"}),
    "NIN": frozenset({"net_hard", "net_soft", "line"}),
    "TLF": frozenset({"drift", "service", "storage"}),
    "PSD": frozenset({"card_soft", "card_hard", "node_soft", "storage", "service", "net_soft"}),
}


@dataclass
class Root:
    """Where the cause is. `nodes` and `cards` are what it takes away by itself."""

    level: str
    path: str = ""
    paths: list[str] = field(default_factory=list)
    ports: list[str] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    nodes: frozenset[str] = frozenset()
    cards: frozenset[tuple[str, str]] = frozenset()
    supernode: str = ""
    cause: Text = field(default_factory=dict)
    for_it: list[Text] = field(default_factory=list)
    against: list[Text] = field(default_factory=list)
    confidence: float = 0.3

    def as_json(self) -> dict[str, Any]:
        return {
            "level": self.level,
            "path": self.path,
            "paths": self.paths or ([self.path] if self.path else []),
            "ports": self.ports,
            "cause": self.cause.get("text", ""),
            "cause_code": self.cause.get("code", ""),
            "cause_params": self.cause.get("params", {}),
            "confidence": round(self.confidence, 2),
            "evidence_for": self.for_it,
            "evidence_against": self.against,
        }


def text(code: str, **params: Any) -> Text:
    return {"code": code, "params": params}


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
        root = self._wide() or self._narrow() or self._job()
        root.cause = cause(root, self.unit, self.failure_class)
        weigh(root, self.seen, self.failure_class)
        return root

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
        unit, name = self.unit, self.unit.wide
        row = self.topology.supernodes.get(name)
        region = next(iter(sorted(unit.regions)), "")
        path = row.path if row else "/".join(part for part in (region, name) if part)
        lost = self._of("node_lost", "power", "cooling")
        return Root("supernode", path, facts=lost, nodes=unit.nodes, supernode=name)

    def _facility(self) -> Root:
        facts = sorted(self._of("power", "cooling"), key=_when)
        paths = list(dict.fromkeys(f.place.path for f in facts if f.place.path))
        hit = frozenset(
            f.place.node for f in self._of("node_lost", "node_soft", "card_soft") if f.place.node
        )
        return Root("facility", paths[0] if paths else "", paths, facts=facts, nodes=hit)

    def _network(self) -> Root | None:
        unit = self.unit
        if lines := self._of("line"):
            lines = sorted(lines, key=_when)
            path = next((f.place.path for f in lines if f.place.line), lines[0].place.path)
            return Root("line", path, facts=lines)
        if unit.level == "plane":
            return self._plane()
        down = sorted(self._signed("switch_down"), key=_when)
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
        region = _common(f.place.region for f in facts)
        supernode = _common(f.place.supernode for f in facts)
        plane = _common(f.place.plane for f in facts) or "network"
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

    def _link(self) -> Root | None:
        facts = self._of("net_hard") or self._of("net_soft")
        if not facts:
            return None
        first = min(facts, key=lambda f: (-SIGNS[f.signal.sign].weight, *_when(f)))
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
        facts = sorted(self._of("storage", "service"), key=lambda f: (not f.hard, *_when(f)))
        if facts and not (self.failure_class == "TLF" and self._of("drift")):
            path = next((f.place.path for f in facts if f.place.path), "")
            if not path:
                path = f"{_common(f.place.region for f in facts)}/service:storage".strip("/")
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
        return f"{_common(f.place.region for f in told)}/service:storage".strip("/")

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
        return self._deepest(sorted(hard or top, key=_when))

    def _relevant(self) -> list[Fact]:
        wanted = _RELEVANT.get(self.failure_class or "", frozenset())
        return [f for f in self.unit.facts if SIGNS[f.signal.sign].family in wanted]

    def _deepest(self, top: list[Fact]) -> Root | None:
        """The earliest one's component, or the node when another of its cards began with it."""
        first = top[0]
        if not first.place.node:
            return Root(_level(first), first.place.path, facts=top) if first.place.path else None
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
        rows = sorted((f for f in facts if f.place.node), key=lambda f: (f.place.node, *_when(f)))
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
            key=_when,
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
        return Root(_level(facts[0]) if path else "unknown", path, facts=list(self.unit.facts))

    def _of(self, *wanted: str) -> list[Fact]:
        return [f for f in self.unit.facts if SIGNS[f.signal.sign].family in wanted]

    def _signed(self, sign: str) -> list[Fact]:
        return [f for f in self.unit.facts if f.signal.sign == sign]


def _when(fact: Fact) -> tuple[datetime, int]:
    return fact.event_at, fact.episode


def _common(values: Iterable[str]) -> str:
    found = Counter(value for value in values if value)
    return min(found, key=lambda v: (-found[v], v)) if found else ""


def _level(fact: Fact) -> str:
    kind = fact.place.kind
    return (
        kind if kind in ("card", "node", "switch", "plane", "supernode", "service") else "unknown"
    )


def node_path(fact: Fact) -> str:
    path = fact.place.path
    return path.rsplit("/", 1)[0] if fact.place.card and fact.place.kind == "card" else path


def cause(root: Root, unit: Unit, failure_class: str | None) -> Text:
    """What happened, as a code, its parameters, and the sender's own words."""
    best = sorted(root.facts, key=lambda f: (-SIGNS[f.signal.sign].weight, *_when(f)))
    code = best[0].signal.sign if best else ("symptoms_only" if unit.symptoms else "unknown")
    params: dict[str, Any] = {}
    if best and best[0].signal.fault_code:
        params["fault_code"] = best[0].signal.fault_code
    names = list(dict.fromkeys(f.place.facility for f in unit.facts if f.place.facility))
    if names and failure_class == "NCR":
        code, params["facility"] = "power_or_cooling_lost", sorted(names)
    parts = list(dict.fromkeys(f.place.part for f in root.facts if f.place.part))
    if parts:
        params["part"] = parts
    flaps = sum(1 for f in root.facts if f.signal.sign == "link_down")
    if root.level == "link" and flaps > 1:
        params["flaps"] = flaps
    if versions := _drift(root.facts):
        params.update(versions)
    words = [*params.get("facility", ()), *parts]
    said = next((f.summary for f in best if f.summary), "")
    if fan := next((f.summary for f in unit.facts if f.signal.sign == "node_fan"), ""):
        said = f"{said}; {fan}" if said and root.level in ("card", "node") else said
    sentence = ": ".join(part for part in (", ".join(words), said) if part)
    return {"code": code, "params": params, "text": sentence[:400]}


def _drift(facts: Sequence[Fact]) -> dict[str, str]:
    for fact in facts:
        if fact.signal.sign == "version_drift" and fact.labels.get("actual"):
            return {
                "actual": str(fact.labels["actual"]),
                "expected": str(fact.labels.get("expected", "")),
            }
    return {}


def weigh(root: Root, seen: Evidence, failure_class: str | None) -> None:
    """Confidence and evidence. Parameters never name a victim."""
    unit, points = seen.unit, 0.35
    hard = [f for f in root.facts if f.hard]
    if root.facts:
        first = min(f.event_at for f in root.facts)
        if hard:
            points += 0.2
            code = hard[0].signal.fault_code or hard[0].name
            root.for_it.append(text("hard_evidence", alert=code, count=len(hard)))
        if seen.first_symptom is None or first <= seen.first_symptom:
            points += 0.15
            lead = int((seen.first_symptom - first).total_seconds()) if seen.first_symptom else 0
            root.for_it.append(text("before_symptoms", seconds=lead))
        else:
            root.against.append(text("after_first_symptom"))
        if len({f.name for f in root.facts}) > 1:
            points += 0.1
            root.for_it.append(
                text("several_alerts_agree", count=len({f.name for f in root.facts}))
            )
    if unit.level in ("supernode", "plane", "nodes"):
        points += 0.1
        root.for_it.append(text("siblings_failed_together", count=len(root.nodes)))
    waits = sum(SIGNS[f.signal.sign].family in ("wait", "launch", "comm") for f in unit.symptoms)
    if waits:
        points += 0.05
        root.for_it.append(text("others_only_wait", count=waits))
    if failure_class == "NHG" and "bmc_alive" in unit.signs:
        points += 0.1
        root.for_it.append(text("bmc_answers_power_on"))
    if failure_class == "NCR" and unit.families & {"power", "cooling"}:
        root.for_it.append(text("facility_evidence"))
    if not root.facts:
        points = 0.2
        root.against.append(text("no_cause_told"))
    root.confidence = min(points, 0.95)


def suspects(root: Root, seen: Evidence) -> tuple[dict[str, Any], ...]:
    """The root first, then what else in the group has evidence of its own, at most five."""
    out: list[dict[str, Any]] = [root.as_json()]
    mine = {id(f) for f in root.facts}
    others: dict[str, list[Fact]] = {}
    for fact in seen.unit.facts:
        if id(fact) not in mine and fact.place.path and fact.place.path != root.path:
            others.setdefault(fact.place.path, []).append(fact)
    ranked = sorted(
        others.items(),
        key=lambda row: (-max(SIGNS[f.signal.sign].weight for f in row[1]), *_when(row[1][0])),
    )
    for path, facts in ranked[:4]:
        weight = max(SIGNS[f.signal.sign].weight for f in facts)
        other = Root(_level(facts[0]), path, facts=facts, confidence=weight / 400)
        other.cause = {"code": facts[0].signal.sign, "params": {}, "text": facts[0].summary[:200]}
        other.for_it = [text("has_own_alerts", count=len(facts))]
        other.against = [text("explained_by_root")]
        out.append(other.as_json())
    return tuple(out)
