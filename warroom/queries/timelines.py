"""The timeline of an incident, with those of the incidents that were merged into it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from people.models import User
from warroom.models import Incident, TimelineEntry
from warroom.queries import incidents, texts

BAD = frozenset({"assemble_breached", "restore_breached", "nobody_on_duty", "restored_revoked"})
GOOD = frozenset({"joined", "clock_met", "job_proven", "marked_restored", "root_confirmed"})
LATE_S = 2.0  # I3: at most 2 s late while the sweep runs


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """`text` is ours, in the reader's language; `written` is what a person wrote."""

    id: int
    incident_number: int
    kind: str
    text: str
    written: str
    at: datetime
    recorded_at: datetime
    actor: User | None
    tone: str

    @property
    def lateness(self) -> float:
        """Seconds between the instant it counts for and its being written down."""
        return (self.recorded_at - self.at).total_seconds()

    @property
    def late(self) -> bool:
        return self.lateness > LATE_S


def timeline(
    number: int, user: User | None, *, after: int | None = None, kinds: Sequence[str] = ()
) -> list[Line]:
    """
    The rows in order of their instants, then ids; `after`: only those with a larger id.

    :raises NotFound: if there is no such incident that `user` may see.
    """
    incident = incidents.incident(number, user)
    rows = TimelineEntry.objects.filter(incident__in=_union(incident)).select_related("actor")
    if after is not None:
        rows = rows.filter(pk__gt=after)
    if kinds:
        rows = rows.filter(kind__in=kinds)
    return [line(row) for row in rows.order_by("at", "pk")]


def _union(incident: Incident) -> list[int]:
    """The incident, and whatever was merged into it, at any depth."""
    found, edge = [incident.number], [incident.number]
    while edge:
        rows = Incident.objects.filter(merged_into__in=edge)
        edge = [n for n in rows.values_list("number", flat=True) if n not in found]
        found += edge
    return found


def line(row: TimelineEntry) -> Line:
    tone = "bad" if row.kind in BAD else "good" if row.kind in GOOD else "plain"
    return Line(
        id=row.pk,
        incident_number=row.incident_id,
        kind=row.kind,
        text=texts.sentence(row.kind, row.params),
        written=row.text,
        at=row.at,
        recorded_at=row.recorded_at,
        actor=row.actor,
        tone=tone,
    )
