"""A suspected root, and small readings of facts that finding and weighing it share."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from alerts.correlation.facts import Fact

Text = dict[str, Any]


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


def when(fact: Fact) -> tuple[datetime, int]:
    return fact.event_at, fact.episode


def common(values: Iterable[str]) -> str:
    found = Counter(value for value in values if value)
    return min(found, key=lambda v: (-found[v], v)) if found else ""


def level_of(fact: Fact) -> str:
    kind = fact.place.kind
    return (
        kind if kind in ("card", "node", "switch", "plane", "supernode", "service") else "unknown"
    )


def node_path(fact: Fact) -> str:
    path = fact.place.path
    return path.rsplit("/", 1)[0] if fact.place.card and fact.place.kind == "card" else path
