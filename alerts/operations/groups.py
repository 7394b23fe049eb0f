"""Alert groups: rows that follow what correlation says, and what incidents do with them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from alerts.correlation import GroupVerdict
from alerts.models import AlertGroup
from alerts.queries.working_set import Member, WorkingSet
from alerts.states import GroupState
from core.operations import events, live

QUIET_AFTER = timedelta(minutes=30)  # design 4
FOLLOWED = (
    "failure_class",
    "subtype",
    "event_class",
    "root",
    "affected",
    "impact",
    "facts",
    "region",
    "is_drill",
    "first_event_at",
    "last_event_at",
    "alert_count",
    "received_count",
    "truncated_count",
    "truncations",
    "audience_id",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Truncated:
    """What one body said its sender cut, with the episodes that it did carry."""

    key: str
    count: int
    episodes: Sequence[int]


def follow(
    verdicts: Sequence[GroupVerdict],
    *,
    working: WorkingSet,
    truncated: Sequence[Truncated],
    at: datetime,
) -> list[Member]:
    """
    Make the rows say what the verdicts say; returns the episodes that moved or changed role.

    Only a group that changed tells of it. The caller holds the site's lock.
    """
    moved: dict[int, Member] = {}
    told: list[dict[str, int | str]] = []
    for verdict in verdicts:
        if not verdict.notable:
            _set_roles(verdict, None, working, moved)
            continue
        group, changed = _row(verdict, working, truncated, at)
        _set_roles(verdict, group.pk, working, moved)
        told += [{"group_id": pk} for pk in _merge(verdict, group, working)]
        told += [{"group_id": group.pk}] if changed else []
    if told:
        events.publish_many(kind="alert_group_changed", ids=told)
        live.announce("alerts", "board")
    return list(moved.values())


def _set_roles(
    verdict: GroupVerdict, group_id: int | None, working: WorkingSet, moved: dict[int, Member]
) -> None:
    for episode in verdict.episodes:
        member = working.members[episode]
        role = verdict.roles.get(episode, member.role)
        if (member.group_id, member.role) != (group_id, role):
            member.group_id, member.role = group_id, role
            moved[episode] = member


def _row(
    verdict: GroupVerdict, working: WorkingSet, truncated: Sequence[Truncated], at: datetime
) -> tuple[AlertGroup, bool]:
    group = working.groups.get(verdict.group_id) if verdict.group_id else None
    values = _values(verdict, working)
    values |= _cut(verdict, group, working, truncated)
    if group is None:
        group = AlertGroup.objects.create(first_seen_at=at, last_seen_at=at, **values)
        working.groups[group.pk] = group
        return group, True
    changed = {name for name in FOLLOWED if getattr(group, name) != values[name]}
    if group.state == GroupState.QUIET and _fires(verdict, working):
        group.state, group.quiet_at = GroupState.OPEN, None
        changed |= {"state", "quiet_at"}
    for name, value in values.items():
        setattr(group, name, value)
    if changed:
        group.last_seen_at = at
        group.save(update_fields=[*changed, "last_seen_at"])
    return group, bool(changed)


def _fires(verdict: GroupVerdict, working: WorkingSet) -> bool:
    return any(working.members[episode].ends_at is None for episode in verdict.episodes)


def _values(verdict: GroupVerdict, working: WorkingSet) -> dict[str, Any]:
    members = [working.members[episode] for episode in verdict.episodes]
    return {
        "failure_class": verdict.failure_class,
        "subtype": verdict.subtype,
        "event_class": verdict.event_class,
        "root": _plain(verdict.root),
        "affected": _plain(verdict.affected),
        "impact": _plain(verdict.impact),
        "facts": _plain(
            {
                **verdict.facts,
                "layer": verdict.layer,
                "suspects": verdict.suspects,
                "explain": verdict.explain,
            }
        ),
        "region": verdict.region,
        "is_drill": verdict.is_drill,
        "first_event_at": verdict.first_event_at,
        "last_event_at": verdict.last_event_at,
        "alert_count": len(members),
        "received_count": sum(member.received_count for member in members),
        "audience_id": _audience(verdict, working),
    }


def _plain(value: Any) -> Any:
    """As JSON gives it back: so that what is stored compares equal to what is computed."""
    return json.loads(json.dumps(value, default=list))


def _audience(verdict: GroupVerdict, working: WorkingSet) -> int | None:
    """Restricted only where every alert of it is, and to the same circle."""
    circles = {working.audiences.get(working.facts[episode].source) for episode in verdict.episodes}
    return circles.pop() if len(circles) == 1 else None


def _cut(
    verdict: GroupVerdict,
    group: AlertGroup | None,
    working: WorkingSet,
    truncated: Sequence[Truncated],
) -> dict[str, Any]:
    """
    What was cut belongs to the group that holds most of the body's episodes.

    A repeat of the same notification says the same number again: it counts once.
    """
    held = dict(group.truncations) if group else {}
    for pk in verdict.merged:
        held = (dict(working.groups[pk].truncations) if pk in working.groups else {}) | held
    mine = set(verdict.episodes)
    for one in truncated:
        inside = sum(1 for episode in one.episodes if episode in mine)
        if inside * 2 > len(one.episodes):
            held[one.key] = max(held.get(one.key, 0), one.count)
    return {"truncations": held, "truncated_count": sum(held.values())}


def _merge(verdict: GroupVerdict, survivor: AlertGroup, working: WorkingSet) -> list[int]:
    merged = [working.groups[pk] for pk in verdict.merged if pk in working.groups]
    for group in merged:
        group.state, group.merged_into = GroupState.MERGED, survivor
        group.save(update_fields=["state", "merged_into"])
    return [group.pk for group in merged]


@transaction.atomic
def attach_incident(*, group_id: int, number: int, open: bool, at: datetime) -> AlertGroup:  # noqa: A002
    """While its incident is open a group takes every alert of its components and jobs."""
    group = AlertGroup.objects.lock(group_id)
    if (group.incident_number, group.incident_open) != (number, open):
        group.incident_number, group.incident_open = number, open
        group.save(update_fields=["incident_number", "incident_open"])
        live.announce("alerts")
    return group


@transaction.atomic
def close(*, group_id: int, at: datetime) -> AlertGroup:
    """Closed with its incident: later alerts of the same thing begin a new group."""
    group = AlertGroup.objects.lock(group_id)
    if group.state in (GroupState.OPEN, GroupState.QUIET):
        group.state, group.closed_at, group.incident_open = GroupState.CLOSED, at, False
        group.save(update_fields=["state", "closed_at", "incident_open"])
        live.announce("alerts")
    return group
