"""What a room hears of a recovery: that it runs, its first step, its failure, and the proof."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from recovery.events import Report
from recovery.models import Recovery
from warroom.models import Incident
from warroom.operations import restoration, timeline
from warroom.states import Move


@dataclass(frozen=True, slots=True, kw_only=True)
class Before:
    """What the room knew of a recovery before these reports."""

    incident_id: int | None
    first_step_at: datetime | None
    failed_at: datetime | None
    known: bool


def tell(recovery: Recovery, *, before: Before, at: datetime) -> None:
    """A line for each thing that became true, once; the instants are the controller's."""
    incident = recovery.incident
    if incident is None:
        return
    say = _line(incident, recovery, at)
    fresh = before.incident_id is None
    if not before.known:
        say("recovery_started", recovery.fault_at, strategy=recovery.strategy)
        restoration.progress(job_id=recovery.job_id, move=Move.START_RESTORING, at=at)
    if recovery.success and recovery.first_step_at and (fresh or before.first_step_at is None):
        _tell_first_step(recovery, incident, say, at)
    if recovery.failed_at and (fresh or before.failed_at is None):
        say("recovery_failed", recovery.failed_at, reason=recovery.failure_reason)


def _tell_first_step(
    recovery: Recovery, incident: Incident, say: Callable[..., None], at: datetime
) -> None:
    say(
        "recovery_first_step",
        recovery.first_step_at,
        seconds=recovery.total_seconds,
        lost_steps=recovery.lost_steps,
    )
    restoration.progress(job_id=recovery.job_id, move=Move.VERIFY, at=at)
    restoration.record_checkpoint(
        incident=Incident.objects.lock(incident.number),
        job_id=recovery.job_id,
        checkpoint_step=recovery.checkpoint_step,
        lost_steps=recovery.lost_steps,
    )


def _line(incident: Incident, recovery: Recovery, at: datetime) -> Callable[..., None]:
    def say(kind: str, when: datetime, **params: Any) -> None:
        timeline.record(
            incident=incident,
            kind=kind,
            at=when,
            recorded_at=at,
            job_id=recovery.job_id,
            recovery_id=recovery.recovery_id,
            **params,
        )

    return say


def prove(report: Report, *, at: datetime) -> None:
    """Ten steps at 95 % of the baseline: the job runs again, at the instant of the tenth."""
    recovery = Recovery.objects.filter(job_id=report.job_id, success=True).newest_first().first()
    evidence = {
        "recovery_id": report.recovery_id or (recovery.recovery_id if recovery else ""),
        "step": report.step,
    }
    restoration.prove(
        job_id=report.job_id,
        at=report.at,
        steps=report.count,
        ratio=report.throughput_ratio,
        evidence=evidence,
    )
