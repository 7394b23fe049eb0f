"""What correlation looks at: the open groups, their episodes, and the loose ones of late."""

import json
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.db import connection

from alerts.correlation import Fact, OpenGroup
from alerts.models import AlertGroup, Source
from alerts.queries.brain import Brain
from alerts.states import AlertState

# Look-back of 60 min for low-severity evidence and 15 min of window (design 5).
LOOSE_FOR = timedelta(minutes=75)

STORED = """
    SELECT e.id, e.alert_id, e.starts_at, e.ends_at, e.event_at, e.group_id, e.role, e.severity,
           e.received_count
    FROM alert_episodes e
    WHERE e.group_id = ANY(%s)
       OR (e.group_id IS NULL AND e.event_at >= %s)
"""
DETAILS = """
    SELECT e.id, e.event_at, e.starts_at, e.ends_at, e.severity, a.source_id, a.name, a.labels,
           a.annotations, a.is_drill
    FROM alert_episodes e JOIN alerts a ON a.id = e.alert_id
    WHERE e.id = ANY(%s) AND e.event_at >= %s
"""


@dataclass(slots=True)
class Member:
    """An episode as it is stored, or about to be."""

    id: int
    alert_id: int
    starts_at: datetime
    ends_at: datetime | None
    event_at: datetime
    group_id: int | None
    role: str
    severity: str
    received_count: int


@dataclass(slots=True)
class WorkingSet:
    groups: dict[int, AlertGroup]
    members: dict[int, Member]
    facts: dict[int, Fact]
    # The closed circle of each source that has one.
    audiences: dict[int, int | None]


# Facts of the last batch, by episode: reading an episode costs more than correlating it.
_kept: dict[int, Fact] = {}
_kept_version: list[tuple[object, ...]] = []


def load(*, brain: Brain, since: datetime) -> WorkingSet:
    """`since`: the earliest event of the batch; loose episodes up to 75 min before it count."""
    groups = {group.pk: group for group in AlertGroup.objects.open().select_for_update(no_key=True)}
    with connection.cursor() as cursor:
        cursor.execute(STORED, [list(groups), since - LOOSE_FOR])
        members = {row[0]: Member(*row) for row in cursor.fetchall()}
    circles = Source.objects.exclude(audience=None).values_list("id", "audience_id")
    return WorkingSet(
        groups=groups,
        members=members,
        facts=_facts(members, brain),
        audiences=dict(circles),
    )


def keep(facts: dict[int, Fact], brain: Brain) -> None:
    """Remember the facts of this batch for the next one of this process."""
    _kept.clear()
    _kept.update(facts)
    _kept_version[:] = [brain.version]


def open_groups(working: WorkingSet) -> list[OpenGroup]:
    held: dict[int, set[int]] = {pk: set() for pk in working.groups}
    for member in working.members.values():
        if member.group_id in held:
            held[member.group_id].add(member.id)
    return [
        OpenGroup(
            id=group.pk,
            episodes=frozenset(held[group.pk]),
            first_event_at=group.first_event_at,
            last_event_at=group.last_event_at,
            number=group.incident_number,
            incident_open=group.incident_open,
            is_drill=group.is_drill,
            paths=_paths(group.root),
            jobs=tuple(group.impact.get("jobs") or group.affected.get("jobs") or ()),
        )
        for group in working.groups.values()
    ]


def _paths(root: dict[str, Any]) -> tuple[str, ...]:
    paths = [root.get("path"), *(root.get("paths") or ())]
    return tuple(dict.fromkeys(str(path) for path in paths if path))


def _facts(members: dict[int, Member], brain: Brain) -> dict[int, Fact]:
    known = _kept if _kept_version == [brain.version] else {}
    facts = {
        member.id: _as_stored(known[member.id], member)
        for member in members.values()
        if member.id in known
    }
    missing = [member for member in members.values() if member.id not in facts]
    if missing:
        facts |= _read(missing, brain)
    return facts


def _as_stored(fact: Fact, member: Member) -> Fact:
    if fact.ended_at == member.ends_at and fact.severity == member.severity:
        return fact
    return replace(
        fact,
        ended_at=member.ends_at,
        severity=member.severity,
        state=AlertState.RESOLVED if member.ends_at else AlertState.FIRING,
    )


def _read(members: list[Member], brain: Brain) -> dict[int, Fact]:
    with connection.cursor() as cursor:
        earliest = min(member.event_at for member in members)
        cursor.execute(DETAILS, [[member.id for member in members], earliest])
        rows = cursor.fetchall()
    return {row[0]: _fact(row, brain) for row in rows}


def _fact(row: tuple[Any, ...], brain: Brain) -> Fact:
    episode, event_at, starts_at, ends_at, severity, source_id, name, labels, notes, drill = row
    return brain.reader.read(
        episode=episode,
        source=source_id,
        name=name,
        severity=severity,
        state=AlertState.RESOLVED if ends_at else AlertState.FIRING,
        started_at=starts_at,
        event_at=event_at,
        ended_at=ends_at,
        labels=json.loads(labels) if isinstance(labels, str) else labels,
        annotations=json.loads(notes) if isinstance(notes, str) else notes,
        is_drill=drill,
        fired=True,
        label_map=brain.label_map(source_id),
    )
