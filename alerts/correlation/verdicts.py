"""What goes in beside the facts, and what comes out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any


@dataclass(frozen=True, slots=True)
class Settings:
    """Windows and thresholds. Sources: design.md 5, domain.md 2.2; numbers are site settings."""

    window: timedelta = timedelta(minutes=15)
    look_back: timedelta = timedelta(minutes=60)
    skew: timedelta = timedelta(seconds=60)
    burst: timedelta = timedelta(seconds=60)
    same_code: timedelta = timedelta(seconds=30)
    many_nodes: int = 4
    supernode_share: float = 40 / 48
    plane_share: float = 24 / 48
    plane_nodes: int = 24
    plane_switches: int = 8
    supernode_nodes: int = 48
    node_cards: int = 8
    card_ranks: int = 2
    monitoring_targets: int = 10
    code_nodes: int = 8
    default_region: str = ""


@dataclass(frozen=True, slots=True)
class OpenGroup:
    """A group that is not closed. `number` is its incident; `incident_open` while people work on it.

    `episodes` are what it holds now. `pinned` were put there by a person and never leave;
    `banned` were taken out by a person and never come back.
    """

    id: int
    episodes: frozenset[int]
    first_event_at: datetime
    last_event_at: datetime
    number: int | None = None
    incident_open: bool = False
    is_drill: bool = False
    paths: tuple[str, ...] = ()
    jobs: tuple[str, ...] = ()
    pinned: frozenset[int] = frozenset()
    banned: frozenset[int] = frozenset()


@dataclass(frozen=True)
class GroupVerdict:
    """One group as the set of its episodes makes it.

    `group_id` None means a new group; `merged` are open groups that turn out to be this one (the
    earliest survives as `group_id`). `root`, `affected`, `impact` and `facts` are plain JSON in the
    shape of contract.md and of the columns of AlertGroup. Texts are `{"code": …, "params": {…}}`.
    """

    group_id: int | None
    merged: tuple[int, ...]
    episodes: tuple[int, ...]
    roles: Mapping[int, str]
    failure_class: str | None
    subtype: str
    event_class: str
    root: Mapping[str, Any]
    suspects: tuple[Mapping[str, Any], ...]
    affected: Mapping[str, Any]
    impact: Mapping[str, Any]
    facts: Mapping[str, Any]
    region: str
    layer: str
    is_drill: bool
    first_event_at: datetime
    last_event_at: datetime
    explain: tuple[Mapping[str, Any], ...] = field(default=())

    @property
    def notable(self) -> bool:
        """Whether it is worth a group: a class, broken monitoring, or a group that exists."""
        return bool(self.failure_class or self.facts["monitoring"] or self.group_id is not None)
