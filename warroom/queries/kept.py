"""How often both clocks were kept lately: the tile of the board."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Q

from people.models import User
from people.queries import visible
from warroom.models import Clock, Incident
from warroom.states import ClockKind, ClockState

WINDOW = timedelta(days=30)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Ratios from 0 to 1 over clocks that ended in the window; None where none did. No drills."""

    assemble: float | None
    restore: float | None


def kept(user: User, at: datetime) -> Kept:
    seen = visible(Incident.objects.filter(is_drill=False, opened_at__gt=at - WINDOW), user)
    counts = (
        Clock.objects.filter(incident__in=seen.values("pk"), hand_over=None)
        .values("kind")
        .annotate(
            met=Count("pk", filter=Q(state=ClockState.MET)),
            missed=Count("pk", filter=Q(state__in=[ClockState.BREACHED, ClockState.MET_LATE])),
        )
    )
    found = {row["kind"]: (row["met"], row["met"] + row["missed"]) for row in counts}
    return Kept(
        assemble=_ratio(found.get(ClockKind.ASSEMBLE)), restore=_ratio(found.get(ClockKind.RESTORE))
    )


def _ratio(pair: tuple[int, int] | None) -> float | None:
    return pair[0] / pair[1] if pair and pair[1] else None
