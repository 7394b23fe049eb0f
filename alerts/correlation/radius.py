"""How far it reaches: what the root takes away, what stands still, and what decides the tier."""

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from alerts.correlation.facts import SEVERITY_RANK, Fact
from alerts.correlation.failure import Evidence
from alerts.correlation.root import Root
from alerts.correlation.signs import SIGNS, STANDS_STILL
from alerts.correlation.topology import Topology
from alerts.correlation.verdicts import Settings

_HARD_FAMILIES = frozenset(
    {"card_hard", "node_lost", "node_soft", "net_hard", "line", "storage", "service"}
)
_SYMPTOM_FACT = frozenset(
    {
        "job_stalled",
        "job_failed",
        "launch_failed",
        "ckpt_failed",
        "blocked_in_save",
        "hang_seen",
        "waits_at_launch",
        "no_checkpoint",
    }
)
_WITH_PLACEMENT = frozenset({"supernode", "plane", "facility", "region"})


@dataclass
class Radius:
    """Measures one group."""

    seen: Evidence
    root: Root
    failure_class: str | None
    topology: Topology
    settings: Settings

    @cached_property
    def everything(self) -> list[Fact]:
        return [*self.seen.unit.facts, *self.seen.unit.symptoms]

    @cached_property
    def jobs(self) -> list[str]:
        """By label first; the placement adds to it where a whole unit is gone, else fills a gap."""
        told = {f.place.job_id for f in self.everything if f.place.job_id}
        if told and self.root.level not in _WITH_PLACEMENT:
            return sorted(told)
        return sorted(told | self._placed())

    def _placed(self) -> set[str]:
        found: set[str] = set()
        if self.root.supernode:
            found.update(self.topology.jobs_at("", self.root.supernode))
        for node in self.root.nodes:
            row = self.topology.nodes.get(node)
            found.update(self.topology.jobs_at(node, row.supernode if row else ""))
        return found

    @cached_property
    def nodes(self) -> int:
        if self.root.level in ("supernode", "plane") and self.root.supernode:
            known = self.topology.supernodes.get(self.root.supernode)
            return known.nodes if known else len(self.root.nodes)
        return len(self.root.nodes)

    @cached_property
    def cards(self) -> int:
        if self.root.level in ("card", "link"):
            return len(self.root.cards) or int(bool(self.root.nodes))
        size = self.settings.node_cards
        if self.nodes > len(self.root.nodes):
            any_node = next(iter(sorted(self.root.nodes)), "")
            return self.nodes * self.topology.cards_of(any_node, size)
        return sum(self.topology.cards_of(node, size) for node in self.root.nodes)

    @cached_property
    def supernodes(self) -> int:
        if self.root.level == "region":
            return len(self.root.paths)
        return int(self.root.level in ("supernode", "plane") and bool(self.root.supernode))

    def affected(self) -> dict[str, Any]:
        return {
            "jobs": self.jobs,
            "nodes": self.nodes,
            "cards": self.cards,
            "supernodes": self.supernodes,
        }

    # what stands still ----------------------------------------------------------------------------
    @cached_property
    def standing(self) -> list[str]:
        """Jobs that make no step."""
        return sorted(
            {
                f.place.job_id
                for f in self.seen.unit.symptoms
                if f.place.job_id and f.signal.sign in STANDS_STILL
            }
        )

    def impact(self) -> dict[str, Any]:
        rows = [self.topology.jobs[job] for job in self.standing if job in self.topology.jobs]
        cards = sum(row.cards for row in rows) or (self.cards if self.standing else 0)
        ranks = sum(row.ranks or row.cards * self.settings.card_ranks for row in rows)
        return {
            "type": self._kind(),
            "jobs": self.standing or self.jobs,
            "cards_idle": cards,
            "ranks": ranks or cards * self.settings.card_ranks,
            "steps_at_risk": None,
        }

    def _kind(self) -> str:
        signs = {f.signal.sign for f in self.everything}
        if signs & {"loss_nan", "silent_error"} and not self.standing:
            return "wrong_result"
        if self.root.level in ("region", "line") and len(self.jobs) > 1:
            return "global"
        if self.standing:
            return "interrupted"
        return "degraded" if self.jobs else ""

    # what decides ---------------------------------------------------------------------------------
    def facts(self, explain: list[dict[str, Any]]) -> dict[str, Any]:
        unit, root = self.seen.unit, self.root
        facility = bool(unit.families & {"power", "cooling"}) or self._chassis_power()
        return {
            "power_or_cooling": facility and self.failure_class in ("NCR", None),
            "network": self.failure_class != "DRV"
            and bool(unit.families & {"net_hard", "net_soft", "line"}),
            "version_cause": "drift" in unit.families and root.level in ("node", "nodes"),
            "nodes_hit": self.nodes,
            "code_nodes_max": self._code_nodes(),
            "services_shared": self._shared(),
            "jobs_hit": len(self.jobs),
            "supernodes_whole": 0 if root.level == "plane" else self.supernodes,
            "plane": root.level == "plane",
            "line": root.level == "line",
            "control_plane": self._control(),
            "no_usable_checkpoint": "no_checkpoint" in self.seen.told_signs,
            "job_symptom": self._job_symptom(),
            "hard_error": self._hard_error(),
            "job_interrupted": bool(self.standing) or self._still_without_job(),
            "monitoring": unit.level == "monitoring",
            "source_lost": False,
            "firing": sum(f.state == "firing" for f in self.everything),
            "severity_max": max(
                (f.severity for f in self.everything), key=lambda s: SEVERITY_RANK.get(s, 0)
            ),
            "explain": explain,
        }

    def _chassis_power(self) -> bool:
        off = self.seen.causes("node_power_off", "node_psu")
        return len({f.place.node for f in off}) >= self.settings.many_nodes

    def _still_without_job(self) -> bool:
        return any(f.signal.sign in STANDS_STILL and f.hard for f in self.seen.unit.symptoms)

    def _code_nodes(self) -> int:
        """Nodes with one cause code; codes of those who wait do not count."""
        found: dict[str, set[str]] = defaultdict(set)
        for fact in self.seen.unit.facts:
            if (
                fact.place.node
                and fact.signal.fault_code
                and SIGNS[fact.signal.sign].family
                in ("card_hard", "net_hard", "node_soft", "node_lost")
            ):
                found[fact.signal.fault_code].add(fact.place.node)
            elif fact.place.node and SIGNS[fact.signal.sign].family in ("net_hard", "card_hard"):
                found[fact.name].add(fact.place.node)
        if self.seen.unit.software:
            return 0
        return max((len(nodes) for nodes in found.values()), default=0)

    def _shared(self) -> bool:
        if self.root.level != "service":
            return False
        names = {f.place.service for f in self.root.facts} | {self.root.path.rsplit(":", 1)[-1]}
        using = {job for name in names if name for job in self.topology.jobs_using(name)}
        return len(using | set(self.jobs)) >= 2

    def _control(self) -> bool:
        if self.root.level != "service":
            return False
        row = self.topology.services.get(self.root.path.rsplit(":", 1)[-1].lower())
        named = row is not None and row.kind == "control"
        return named or any(f.signal.sign == "control_down" for f in self.root.facts)

    def _job_symptom(self) -> bool:
        for fact in self.seen.unit.symptoms:
            sign = fact.signal.sign
            if sign in _SYMPTOM_FACT and (fact.hard or sign != "launch_failed"):
                return True
            if sign == "job_slow" and fact.hard:
                return True
            if sign in ("waits_for_peer", "process_exit", "storage_client") and fact.hard:
                return True
        return False

    def _hard_error(self) -> bool:
        """A serious code on a component that carries a job, or that many share."""
        for fact in self.seen.unit.facts:
            family = SIGNS[fact.signal.sign].family
            if fact.hard and family in _HARD_FAMILIES and self._carries(fact):
                return True
        return self.root.level in ("supernode", "facility", "region") and bool(self.seen.lost)

    def _carries(self, fact: Fact) -> bool:
        place = fact.place
        if place.job_id or not place.node or self.seen.unit.symptoms:
            return True
        row = self.topology.nodes.get(place.node)
        if row is None:
            return True
        return not row.spare and bool(self.topology.jobs_at(place.node, row.supernode))
