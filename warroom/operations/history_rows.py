"""The timeline of an imported incident: the rows that the room would have written by itself."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from people.models import User
from warroom.models import Incident, TimelineEntry

if TYPE_CHECKING:
    from warroom.operations.history import Attendance, PastIncident

BREACH = timedelta(minutes=10)
SAFEST, RESTORE = timedelta(minutes=90), timedelta(minutes=120)


def of(incident: Incident, past: PastIncident, here: Sequence[Attendance]) -> list[TimelineEntry]:
    """Rows in order of their instants; recorded when they happened."""
    rows = [
        *_opening(incident, past, here),
        *_arrivals(incident, here),
        *_assembly(incident, here),
        *_restoring(incident, past),
    ]
    return sorted(rows, key=lambda row: row.at)


def _row(
    incident: Incident,
    kind: str,
    at: datetime | None,
    actor: User | None = None,
    text: str = "",
    **params: Any,
) -> TimelineEntry:
    instant = at or incident.opened_at
    return TimelineEntry(
        incident=incident,
        kind=kind,
        params=params,
        text=text,
        at=instant,
        recorded_at=instant,
        actor=actor,
    )


def _opening(
    incident: Incident, past: PastIncident, here: Sequence[Attendance]
) -> list[TimelineEntry]:
    people = [
        {"name": str(one.user), "user": one.user.pk, "domains": one.domains, "level": "primary"}
        for one in here
    ]
    return [
        _row(
            incident,
            "opened",
            past.opened_at,
            because=dict(past.because),
            tier=past.tier,
            tier_because=dict(past.tier_because),
            failure_class=past.failure_class,
            root=dict(past.root),
            by="",
        ),
        _row(incident, "called", past.opened_at, level="primary", people=people),
        _row(incident, "acknowledged", past.acknowledged_at, here[0].user),
    ]


def _arrivals(incident: Incident, here: Sequence[Attendance]) -> list[TimelineEntry]:
    return [
        _row(incident, "joined", one.joined_at, one.user, role="", domains=one.domains)
        for one in here
    ]


def _assembly(incident: Incident, here: Sequence[Attendance]) -> list[TimelineEntry]:
    due_at = incident.opened_at + BREACH
    late = [d for one in here if one.joined_at > due_at for d in one.domains]
    last = max(one.joined_at for one in here)
    met = _met(incident, "assemble", last, BREACH)
    if not late:
        return [met]
    return [_row(incident, "assemble_breached", due_at, missing=late, minute=10), met]


def _restoring(incident: Incident, past: PastIncident) -> list[TimelineEntry]:
    rows = [
        _row(incident, "root_confirmed", past.located_at, incident.commander, root=dict(past.root)),
        *(
            _row(incident, "job_proven", job.restored_at, job=job.job_id, steps=10, ratio=0.97)
            for job in past.jobs
        ),
        _met(incident, "restore", past.restored_at, RESTORE),
        _row(
            incident,
            "stood_down",
            past.closed_at,
            incident.commander,
            incident.what_restored,
            overridden=[],
        ),
    ]
    if past.raised_at:
        because = {"slug": "sixty_minutes"}
        rows.append(
            _row(incident, "tier_raised", past.raised_at, before=3, after=2, because=because)
        )
    if past.restored_at > past.opened_at + SAFEST:
        rows.append(_row(incident, "safest_restart", past.opened_at + SAFEST, minute=90))
    if past.restored_at > past.opened_at + RESTORE:
        rows.append(_row(incident, "restore_breached", past.opened_at + RESTORE, minute=120))
    return rows


def _met(incident: Incident, clock: str, at: datetime, limit: timedelta) -> TimelineEntry:
    taken = at - incident.opened_at
    return _row(
        incident,
        "clock_met",
        at,
        clock=clock,
        state="met_late" if taken > limit else "met",
        seconds=int(taken.total_seconds()),
        limit=int(limit.total_seconds()),
    )
