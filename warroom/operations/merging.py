"""Groups that turn out to be one: the earliest incident and its clocks survive."""

from datetime import datetime

from alerts.models import AlertGroup
from alerts.operations import groups
from core.operations import events
from notifications.operations import deliveries
from warroom.models import Incident, Participant
from warroom.operations import clocks, opening, presence, timeline
from warroom.states import OPEN, IncidentState, Move, RoomMove, RoomState, room_after, target_of


def follow_merged_group(group: AlertGroup, *, at: datetime) -> Incident | None:
    """
    The incident of a group that went up in another one goes to that group.

    Both groups are locked in order of their ids. Where both have an open incident, the earlier
    one survives with its clocks, and takes over the surviving group.
    """
    target = _final(group)
    ids = sorted({group.pk, target.pk})
    list(AlertGroup.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk"))
    rows = Incident.objects.filter(group_id__in=ids, state__in=OPEN).order_by("number")
    found = {i.group_id: i for i in rows.select_for_update(no_key=True)}
    ours, theirs = found.get(group.pk), found.get(target.pk)
    if ours is None:
        return theirs
    survivor = ours
    if theirs is not None:
        survivor, loser = sorted([ours, theirs], key=_rank)
        merge(loser=loser, into=survivor, at=at)
    if survivor.group_id != target.pk:
        survivor.group_id = target.pk
        survivor.save(update_fields=["group_id"])
    groups.attach_incident(group_id=target.pk, number=survivor.number, open=True, at=at)
    events.publish(kind="alert_group_changed", group_id=target.pk)
    return survivor


def _rank(incident: Incident) -> tuple[bool, datetime, int]:
    """A running room goes before a proposal, then the earliest."""
    return (incident.state == IncidentState.PROPOSED, incident.opened_at, incident.number)


def _final(group: AlertGroup) -> AlertGroup:
    while group.merged_into is not None:
        group = group.merged_into
    return group


def merge(*, loser: Incident, into: Incident, at: datetime) -> None:
    """End `loser` in `into`. Its timeline stays where it is and is read as a union."""
    loser.state = target_of(IncidentState(loser.state), Move.MERGE)
    loser.merged_into, loser.closed_at = into, at
    loser.save(update_fields=["state", "merged_into", "closed_at"])
    clocks.cancel(incident=loser)
    room = getattr(loser, "room", None)
    if room is not None and room.state != RoomState.STOOD_DOWN:
        room.state, room.stood_down_at = room_after(room.state, RoomMove.STAND_DOWN), at
        room.save(update_fields=["state", "stood_down_at"])
    _move_people(loser, into)
    deliveries.cancel(incident_number=loser.number, at=at)
    timeline.record(incident=loser, kind="merged_into", at=at, into=into.number)
    timeline.record(incident=into, kind="merged", at=at, number=loser.number)
    opening.follow_jobs(into, at=at)
    presence.check(into, at=at)
    events.publish(kind="incident_merged", number=loser.number, into=into.number)


def _move_people(loser: Incident, into: Incident) -> None:
    """Whoever was in the merged room is in the surviving one, as they were."""
    known = set(into.participants.values_list("user_id", flat=True))
    moving = [one for one in loser.participants.all() if one.user_id not in known]
    for one in moving:
        one.pk, one.incident, one.required, one.roles = None, into, False, []
    Participant.objects.bulk_create(moving)
