"""The timeline: a row in the transaction of the change it tells of. Never updated."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from core.operations import live
from people.models import User
from warroom.models import Incident, TimelineEntry
from warroom.operations import rows


def record(
    *,
    incident: Incident,
    kind: str,
    at: datetime,
    actor: User | None = None,
    text: str = "",
    recorded_at: datetime | None = None,
    **params: Any,
) -> TimelineEntry:
    """
    Write down what happened at `at`. `text` only for what a person wrote.

    `recorded_at` differs from `at` where the product itself was late, or was told late.
    """
    entry = TimelineEntry.objects.create(
        incident=incident,
        kind=kind,
        params=params,
        text=text,
        at=at,
        recorded_at=recorded_at or at,
        actor=actor,
    )
    announce(incident.number)
    return entry


def record_many(entries: Sequence[TimelineEntry]) -> None:
    """Written with one statement; the entries do not learn their keys."""
    rows.write_down(entries)
    announce(*{entry.incident_id for entry in entries})


def announce(*numbers: int) -> None:
    """Tell open pages that these incidents changed."""
    if numbers:
        live.announce("board", "incidents", *(f"incident-{n}" for n in sorted(numbers)))
