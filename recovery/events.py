"""What a job controller may tell of a job, as the product reads it. Pure data."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One thing that a controller said. Instants are aware; `seconds` nowhere: never typed."""

    event: str
    job_id: str
    recovery_id: str
    at: datetime
    stage: str = ""
    started_at: datetime | None = None
    ended_at: datetime | None = None
    step: int | None = None
    step_at_fault: int | None = None
    count: int = 0
    throughput_ratio: float = 0.0
    strategy: str = ""
    level: str = ""
    levers: tuple[str, ...] = ()
    spare_used: bool | None = None
    fell_back_from: str = ""
    fell_back_to: str = ""
    reason: str = ""
    is_drill: bool = False
    checkpoint: Mapping[str, Any] = field(default_factory=dict)
    detail: Mapping[str, Any] = field(default_factory=dict)
