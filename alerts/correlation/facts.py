"""What one episode of an alert says, once its labels are resolved and its meaning is known."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

SEVERITIES = ("info", "warning", "error", "critical")
SEVERITY_RANK = {name: rank for rank, name in enumerate(SEVERITIES)}


class Place(NamedTuple):
    """Where an alert points. Empty strings are "not said"; names are lower-case and short.

    `path` and `kind` follow contract.md "suspected_root"; `known` is False when the fleet has no
    such component (the caller then registers it as unknown).
    """

    path: str = ""
    kind: str = ""
    region: str = ""
    supernode: str = ""
    node: str = ""
    card: str = ""
    plane: str = ""
    sub_plane: str = ""
    switch: str = ""
    port: str = ""
    service: str = ""
    part: str = ""
    facility: str = ""
    feed: str = ""
    rack: str = ""
    line: str = ""
    job_id: str = ""
    known: bool = False


@dataclass(frozen=True, slots=True)
class Signal:
    """What an alert means: the sign of a shipped or edited rule, and what the code table adds."""

    sign: str = "unknown"
    role: str = "unknown"
    failure_class: str = ""
    event_class: str = ""
    fault_code: str = ""
    handling_level: str = ""
    layer: str = ""
    plane: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Fact:
    """One episode. `event_at` is `started_at` clamped to 24 h before and 2 min after receipt.

    `fired` is False for a resolve whose firing was never seen: it neither opens nor explains.
    """

    episode: int
    source: int
    name: str
    severity: str
    state: str
    started_at: datetime
    event_at: datetime
    place: Place
    signal: Signal
    ended_at: datetime | None = None
    labels: Mapping[str, str] = field(default_factory=dict, compare=False)
    annotations: Mapping[str, str] = field(default_factory=dict, compare=False)
    is_drill: bool = False
    fired: bool = True

    @property
    def hard(self) -> bool:
        """Error or critical."""
        return SEVERITY_RANK.get(self.severity, 0) >= SEVERITY_RANK["error"]

    @property
    def summary(self) -> str:
        for key in ("summary", "description", "message", "text"):
            if self.annotations.get(key):
                return str(self.annotations[key])
        return ""
