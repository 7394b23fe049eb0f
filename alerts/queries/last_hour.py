"""The board's panel: what arrived in the last sixty minutes, minute by minute."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Sum

from alerts.models import Tally
from people.models import User
from people.queries import visible

MINUTES = 60


@dataclass(frozen=True, slots=True)
class LastHour:
    """`minutes`: the start of each and the alerts received in it, oldest first, drills too."""

    minutes: list[tuple[datetime, int]]
    episodes: int
    received: int
    truncated: int


def last_hour(user: User, *, at: datetime) -> LastHour:
    this = at.replace(second=0, microsecond=0)
    first = this - timedelta(minutes=MINUTES - 1)
    rows = (
        visible(Tally.objects.filter(minute__gte=first), user)
        .values("minute")
        .annotate(e=Sum("episodes"), r=Sum("received"), t=Sum("truncated"))
        .order_by("minute")
    )
    by_minute = {row["minute"]: row for row in rows}
    return LastHour(
        minutes=[
            (moment, by_minute[moment]["r"] if moment in by_minute else 0)
            for moment in (first + timedelta(minutes=n) for n in range(MINUTES))
        ],
        episodes=sum(row["e"] for row in by_minute.values()),
        received=sum(row["r"] for row in by_minute.values()),
        truncated=sum(row["t"] for row in by_minute.values()),
    )
