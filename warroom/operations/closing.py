"""The end of a room: stood down, a false alarm, or reopened after all."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.utils.translation import gettext

from alerts.operations import groups
from core.errors import Invalid, NotAllowed, Refused
from core.operations import events
from notifications.operations import deliveries
from people.models import User
from people.states import Role
from warroom.models import Incident
from warroom.operations import clocks, messages, restoration, timeline
from warroom.queries.gates import Gate, gates_missing
from warroom.states import (
    OPEN,
    Action,
    ClockKind,
    HandOverState,
    IncidentState,
    Proof,
    RoomMove,
    room_after,
    target_of,
)


class GatesMissing(Invalid):
    """A room with an empty mandatory field is not stood down; `fields` names each of them."""

    code = "gates_missing"
    status = 409

    def __init__(self, gates: Iterable[Gate]) -> None:
        gates = list(gates)
        sentence = gettext("The room cannot stand down yet: %(missing)s")
        missing = " ".join(gate.sentence for gate in gates)
        super().__init__(
            sentence % {"missing": missing},
            fields={gate.field: [gate.sentence] for gate in gates},
        )


def stand_down(*, incident: Incident, data: Mapping[str, Any], by: User, at: datetime) -> None:
    """
    Fill in the last facts and stand the room down, unless a mandatory one is missing (I9).

    `override_reason` lets a lead or administrator pass over what is missing, by name.

    :raises GatesMissing: naming every mandatory fact that is missing.
    """
    target = target_of(IncidentState(incident.state), Action.STAND_DOWN)
    _fill_in(incident, data, by, at)
    missing, override = gates_missing(incident), str(data.get("override_reason") or "")
    if missing and not override:
        raise GatesMissing(missing)
    if missing and not by.at_least(Role.LEAD):
        raise NotAllowed(gettext("Only a lead or an administrator may pass over missing facts."))
    incident.state, incident.closed_at = target, at
    incident.save()
    clocks.drop_steps(incident=incident)
    _end_room(incident, at)
    timeline.record(
        incident=incident,
        kind="stood_down",
        at=at,
        actor=by,
        text=override if missing else incident.what_restored,
        overridden=[gate.field for gate in missing],
    )
    events.publish(kind="room_stood_down", number=incident.number)
    events.publish(kind="incident_closed", number=incident.number)


def _fill_in(incident: Incident, data: Mapping[str, Any], by: User, at: datetime) -> None:
    if data.get("occurred_at"):
        _confirm_occurred(incident, data["occurred_at"], by, at)
    if data.get("impact"):
        incident.impact_kind = data["impact"]
    if data.get("what_restored"):
        incident.what_restored = data["what_restored"]
    if data.get("root_unknown_reason") and incident.root_confirmed_by_id is None:
        incident.root_confirmed_by, incident.root_reason = by, data["root_unknown_reason"]
        incident.root = {**incident.root, "level": "unknown", "path": "", "paths": []}
        timeline.record(
            incident=incident, kind="root_unknown", at=at, actor=by, text=incident.root_reason
        )
    for row in data.get("jobs") or []:
        _fill_in_job(incident, row, by, at)


def _confirm_occurred(incident: Incident, occurred_at: datetime, by: User, at: datetime) -> None:
    """A corrected instant keeps the original (I12)."""
    if occurred_at > at:
        raise Invalid(fields={"occurred_at": [gettext("That is in the future.")]})
    if incident.occurred_at_original is None:
        incident.occurred_at_original = incident.occurred_at
    before, incident.occurred_at = incident.occurred_at, occurred_at
    incident.occurred_confirmed = True
    timeline.record(
        incident=incident,
        kind="occurred_confirmed",
        at=at,
        actor=by,
        occurred_at=occurred_at.isoformat(),
        before=before.isoformat() if before else "",
    )


def _fill_in_job(incident: Incident, row: Mapping[str, Any], by: User, at: datetime) -> None:
    job = incident.jobs.filter(job_id=row["job_id"], dropped_at=None).first()
    if job is None:
        text = gettext("%(job)s is not an affected job of this incident.")
        raise Invalid(fields={"jobs": [text % {"job": row["job_id"]}]})
    if row.get("checkpoint_step") is not None:
        job.checkpoint_step = row["checkpoint_step"]
    if row.get("lost_steps") is not None:
        job.lost_steps = row["lost_steps"]
    if row.get("waiver") and job.restored_at is None:
        job.restored_at, job.proof = at, Proof.WAIVER
        job.proof_reason, job.proof_by = row["waiver"], by
        timeline.record(
            incident=incident,
            kind="marked_restored",
            at=at,
            actor=by,
            text=row["waiver"],
            jobs=[job.job_id],
        )
    job.save()


def false_alarm(*, incident: Incident, reason: str, by: User, at: datetime) -> None:
    """Nothing was wrong: every clock stops, nobody is called any more."""
    incident.state = target_of(IncidentState(incident.state), Action.FALSE_ALARM)
    incident.closed_at, incident.close_reason = at, reason
    incident.save(update_fields=["state", "closed_at", "close_reason"])
    clocks.cancel(incident=incident)
    _end_room(incident, at)
    timeline.record(incident=incident, kind="false_alarm", at=at, actor=by, text=reason)
    events.publish(kind="incident_closed", number=incident.number)


def _end_room(incident: Incident, at: datetime) -> None:
    """The room is over: the offers lapse, what is queued is cancelled, the alert group closes."""
    room = incident.room
    room.state, room.stood_down_at = room_after(room.state, RoomMove.STAND_DOWN), at
    room.save(update_fields=["state", "stood_down_at"])
    incident.hand_overs.filter(state=HandOverState.OFFERED).update(
        state=HandOverState.EXPIRED, answered_at=at
    )
    incident.clocks.filter(kind=ClockKind.HAND_OVER, state="running").update(state="cancelled")
    deliveries.cancel(incident_number=incident.number, at=at)
    told = messages.in_charge(incident, "stood_down", f"stood_down:{int(at.timestamp())}")
    deliveries.request(messages=told, at=at)
    if incident.group_id:
        groups.close(group_id=incident.group_id, at=at)


def reopen(*, incident: Incident, reason: str, by: User, at: datetime) -> None:
    """
    Back to work after the end. Within 30 minutes of the restoration its clock goes on.

    :raises Refused: if the same alerts have opened another incident meanwhile.
    """
    target = target_of(IncidentState(incident.state), Action.REOPEN)
    others = Incident.objects.filter(group_id=incident.group_id, state__in=OPEN)
    other = others.exclude(number=incident.number).first() if incident.group_id else None
    if other is not None:
        raise Refused(gettext("Its alerts belong to %(other)s now.") % {"other": other})
    relapse = restoration.within_relapse(incident, at)
    incident.state, incident.closed_at = target, None
    incident.save(update_fields=["state", "closed_at"])
    timeline.record(incident=incident, kind="reopened", at=at, actor=by, text=reason)
    restoration.back_to_work(incident, at=at)
    if relapse:
        clocks.resume(incident=incident, kind=ClockKind.RESTORE)
