"""When jobs run again: proven by their own steps, or waived by a person with a reason."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext

from core.errors import Invalid
from core.operations import events
from notifications.operations import deliveries
from people.models import User
from warroom.models import AffectedJob, Incident
from warroom.operations import clocks, locks, messages, timeline
from warroom.states import (
    LIVE,
    Action,
    ClockKind,
    IncidentState,
    Move,
    Proof,
    RoomMove,
    moved,
    room_after,
    target_of,
)

PROOF_STEPS = 10  # domain.md 2.5: ten steps in a row ...
PROOF_RATIO = 0.95  # ... at 95 % of the job's baseline
RELAPSE = timedelta(minutes=30)  # design.md 4
BACK_TO_WORK = ("restored_revoked", "reopened")


@transaction.atomic
def prove(
    *,
    job_id: str,
    at: datetime,
    steps: int,
    ratio: float,
    evidence: Mapping[str, Any] | None = None,
) -> list[int]:
    """
    A job reports `steps` steps in a row at `ratio` of its baseline; `at`: the tenth of them.

    Ten at 95 % prove it in every incident that it is part of, unless they were made before it
    broke: such a report is late or a repeat. Returns the numbers of the incidents.
    """
    if steps < PROOF_STEPS or ratio < PROOF_RATIO:
        return []
    proven = []
    for number in _waiting_for(job_id):
        incident = locks.incident(number, at=at)
        job = incident.jobs.get(job_id=job_id)
        if job.restored_at is not None or incident.state not in LIVE or at <= _broken_at(incident):
            continue
        job.restored_at, job.proof = at, Proof.STEPS
        job.evidence = {"steps": steps, "ratio": ratio, **(evidence or {})}
        job.save(update_fields=["restored_at", "proof", "evidence"])
        timeline.record(
            incident=incident, kind="job_proven", at=at, job=job_id, steps=steps, ratio=ratio
        )
        _advance(incident, told_at=at)
        proven.append(number)
    return proven


def _broken_at(incident: Incident) -> datetime:
    """When it broke, or broke again: steps from before that prove nothing."""
    back = incident.timeline.filter(kind__in=BACK_TO_WORK).aggregate(last=Max("at"))["last"]
    begun = incident.occurred_at or incident.opened_at
    return max(begun, back) if back else begun


@transaction.atomic
def progress(*, job_id: str, move: Move, at: datetime) -> list[int]:
    """
    A recovery began (START_RESTORING) or its first step is done (VERIFY): the incidents of the
    job move forward, never back. Returns the numbers of those that moved.
    """
    changed = []
    for number in _waiting_for(job_id):
        incident = locks.incident(number, at=at)
        state = moved(IncidentState(incident.state), move)
        if state == incident.state:
            continue
        incident.state = state
        incident.save(update_fields=["state"])
        timeline.record(incident=incident, kind="state_moved", at=at, state=state, job=job_id)
        events.publish(kind="incident_changed", number=number)
        changed.append(number)
    return changed


def record_checkpoint(
    *, incident: Incident, job_id: str, checkpoint_step: int | None, lost_steps: int | None
) -> None:
    """What a recovery says of the checkpoint it used; what a person wrote before stays."""
    job = incident.jobs.filter(job_id=job_id).first()
    if job is None:
        return
    if job.checkpoint_step is None:
        job.checkpoint_step = checkpoint_step
    if job.lost_steps is None:
        job.lost_steps = lost_steps
    job.save(update_fields=["checkpoint_step", "lost_steps"])


def mark_restored(
    *, incident: Incident, by: User, at: datetime, job_id: str = "", reason: str = ""
) -> None:
    """
    A person says that a job runs again, or (without `job_id`) that everything does.

    Jobs that have not proven themselves need a reason: it is a waiver, by name.

    :raises Invalid: for a job that is not affected, or without the reason that is needed.
    """
    jobs = [job for job in _jobs(incident) if job.restored_at is None]
    if job_id:
        jobs = [job for job in jobs if job.job_id == job_id]
        if not jobs:
            text = gettext("This job is not affected, or runs again already.")
            raise Invalid(fields={"job_id": [text]})
    if not reason:
        text = gettext("Say how you know that it runs again: ten steps have not proven it.")
        raise Invalid(fields={"reason": [text]})
    for job in jobs:
        job.restored_at, job.proof = at, Proof.WAIVER
        job.proof_reason, job.proof_by = reason, by
        job.save(update_fields=["restored_at", "proof", "proof_reason", "proof_by"])
    incident.state = target_of(IncidentState(incident.state), Action.MARK_RESTORED)
    incident.save(update_fields=["state"])
    named = [job.job_id for job in jobs]
    timeline.record(
        incident=incident, kind="marked_restored", at=at, actor=by, text=reason, jobs=named
    )
    _advance(incident, told_at=at, met_at=None if jobs else at)


def _advance(incident: Incident, *, told_at: datetime, met_at: datetime | None = None) -> None:
    """Restored is the instant of the last affected job; before that the others are verified."""
    jobs = _jobs(incident)
    if any(job.restored_at is None for job in jobs):
        incident.state = moved(IncidentState(incident.state), Move.VERIFY)
        incident.save(update_fields=["state"])
        events.publish(kind="incident_changed", number=incident.number)
        return
    instants = [job.restored_at for job in jobs if job.restored_at is not None]
    restored_at = met_at or max(instants, default=told_at)
    incident.state = target_of(IncidentState(incident.state), Move.RESTORE)
    incident.restored_at = restored_at
    incident.save(update_fields=["state", "restored_at"])
    clocks.meet(incident=incident, kind=ClockKind.RESTORE, met_at=restored_at, told_at=told_at)
    room = incident.room
    room.state, room.recovered_at = room_after(room.state, RoomMove.RECOVER), told_at
    room.save(update_fields=["state", "recovered_at"])
    key = f"restored:{incident.relapses}"
    told = messages.in_charge(incident, "restored", key)
    deliveries.request(messages=told, at=told_at)
    events.publish(kind="incident_restored", number=incident.number)


def revoke_restored(*, incident: Incident, reason: str, by: User, at: datetime) -> None:
    """It was not restored, or not for long: the clocks go on from where they would be."""
    incident.state = target_of(IncidentState(incident.state), Action.REVOKE_RESTORED)
    timeline.record(
        incident=incident,
        kind="restored_revoked",
        at=at,
        actor=by,
        text=reason,
        restored_at=incident.restored_at.isoformat() if incident.restored_at else "",
        relapse=within_relapse(incident, at),
    )
    back_to_work(incident, at=at)
    clocks.resume(incident=incident, kind=ClockKind.RESTORE)


def within_relapse(incident: Incident, at: datetime) -> bool:
    return incident.restored_at is not None and at - incident.restored_at <= RELAPSE


def back_to_work(incident: Incident, *, at: datetime) -> None:
    """The room is active again and every affected job has to show anew that it runs."""
    incident.relapses += 1
    incident.restored_at = None
    incident.save(update_fields=["state", "relapses", "restored_at"])
    incident.jobs.update(restored_at=None, proof="", proof_reason="", proof_by=None, evidence={})
    room = incident.room
    room.state = room_after(room.state, RoomMove.RETURN)
    room.active_at, room.recovered_at, room.stood_down_at = room.active_at or at, None, None
    room.save(update_fields=["state", "active_at", "recovered_at", "stood_down_at"])
    events.publish(kind="incident_changed", number=incident.number)


def _waiting_for(job_id: str) -> Iterable[int]:
    jobs = AffectedJob.objects.filter(job_id=job_id, restored_at=None, dropped_at=None)
    rows = jobs.filter(incident__state__in=LIVE).order_by("incident")
    return list(rows.values_list("incident", flat=True))


def _jobs(incident: Incident) -> list[AffectedJob]:
    return list(incident.jobs.filter(dropped_at=None).order_by("pk"))
