"""Recoveries of before: imported at once, set-based, and marked."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from core.operations import live
from recovery.models import Recovery, Stage
from warroom.models import Incident, TimelineEntry
from warroom.operations import timeline


@dataclass(frozen=True, slots=True, kw_only=True)
class PastStage:
    stage: str
    started_at: datetime
    ended_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PastRecovery:
    """One restart. `failed_at` in place of `first_step_at` for one that did not succeed."""

    recovery_id: str
    job_id: str
    region: str
    cards: int
    fault_at: datetime
    first_step_at: datetime | None
    caught_up_at: datetime | None
    failed_at: datetime | None
    failure_reason: str
    strategy: str
    fell_back_from: str
    level: str
    levers: Sequence[str]
    spare_used: bool
    step_at_fault: int
    checkpoint_step: int
    stages: Sequence[PastStage]


@transaction.atomic
def import_recoveries(*, recoveries: Sequence[tuple[PastRecovery, Incident | None]]) -> int:
    """Write them with their stages; one that is known already stays as it is. Returns how many."""
    known = set(Recovery.objects.values_list("job_id", "recovery_id"))
    new = [pair for pair in recoveries if (pair[0].job_id, pair[0].recovery_id) not in known]
    rows = Recovery.objects.bulk_create([_recovery(past, incident) for past, incident in new])
    Stage.objects.bulk_create(
        [
            Stage(
                recovery=row,
                stage=stage.stage,
                started_at=stage.started_at,
                ended_at=stage.ended_at,
            )
            for row, (past, _incident) in zip(rows, new, strict=True)
            for stage in past.stages
        ]
    )
    timeline.record_many([entry for row in rows for entry in _told(row)])
    live.announce("recovery")
    return len(rows)


def _told(recovery: Recovery) -> list[TimelineEntry]:
    """What the room of its incident would have heard of it: the first step, or the failure."""
    if recovery.incident is None:
        return []
    at = recovery.first_step_at or recovery.failed_at or recovery.fault_at
    told: dict[str, Any] = {"job_id": recovery.job_id, "recovery_id": recovery.recovery_id}
    kind = "recovery_first_step" if recovery.success else "recovery_failed"
    if recovery.success:
        told |= {"seconds": recovery.total_seconds, "lost_steps": recovery.lost_steps}
    else:
        told |= {"reason": recovery.failure_reason}
    return [
        TimelineEntry(incident=recovery.incident, kind=kind, params=told, at=at, recorded_at=at)
    ]


def _recovery(past: PastRecovery, incident: Incident | None) -> Recovery:
    return Recovery(
        recovery_id=past.recovery_id,
        job_id=past.job_id,
        incident=incident,
        fault_at=past.fault_at,
        first_step_at=past.first_step_at,
        caught_up_at=past.caught_up_at,
        failed_at=past.failed_at,
        success=past.first_step_at is not None,
        failure_reason=past.failure_reason,
        strategy=past.strategy,
        fell_back_from=past.fell_back_from,
        level=past.level,
        levers=list(past.levers),
        spare_used=past.spare_used,
        step_at_fault=past.step_at_fault,
        checkpoint_step=past.checkpoint_step,
        lost_steps=max(0, past.step_at_fault - past.checkpoint_step),
        cards=past.cards,
        imported=True,
        region=past.region,
    )
