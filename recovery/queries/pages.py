"""What the recovery pages show beside the report: the rows behind it."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import QuerySet

from core.queries import site
from people.models import User
from people.queries import visible
from recovery.models import Recovery
from recovery.queries import daily
from recovery.queries.folding import Interval, critical_path
from recovery.states import ON_PATH


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One recovery as a stacked bar: seconds per stage in order, running stages left out."""

    recovery: Recovery
    seconds: dict[str, float]


def today(at: datetime) -> date:
    """The site's date at an instant."""
    return at.astimezone(site().zone).date()


def date_of(text: str) -> date:
    """:raises ValueError: for what is no date that a site can have."""
    chosen = date.fromisoformat(text)
    if not 2000 <= chosen.year < 2100:
        raise ValueError(text)
    return chosen


def day_of(chosen: date) -> daily.Day:
    return daily.Day(date=chosen, zone=site().zone)


def latest(user: User, at: datetime) -> date:
    """Today when it has had a fault, else yesterday."""
    now = today(at)
    return now if daily.recoveries_of(day_of(now), user).exists() else now - timedelta(days=1)


def listed(user: User) -> QuerySet[Recovery]:
    return visible(Recovery.objects.newest_first(), user).prefetch_related("stages")


def bars(day: daily.Day, user: User) -> list[Bar]:
    """The day's recoveries in order of their faults, with each stage's seconds added up."""
    rows = (
        daily.recoveries_of(day, user)
        .select_related("incident")
        .prefetch_related("stages")
        .order_by("fault_at", "pk")
    )
    return [Bar(recovery=row, seconds=_by_stage(row)) for row in rows]


def _by_stage(recovery: Recovery) -> dict[str, float]:
    sums = dict.fromkeys((str(slug) for slug in ON_PATH), 0.0)
    for stage in recovery.stages.all():
        if stage.stage in sums and stage.seconds is not None:
            sums[stage.stage] += stage.seconds
    return sums


def path_of(recovery: Recovery) -> list[dict[str, Any]]:
    """The critical path of a recovery that made its first step, else nothing."""
    if not recovery.first_step_at or not recovery.success:
        return []
    stages = [
        Interval(stage=one.stage, started_at=one.started_at, ended_at=one.ended_at)
        for one in recovery.stages.all()
    ]
    return critical_path(
        fault_at=recovery.fault_at, first_step_at=recovery.first_step_at, stages=stages
    )


def neighbours(chosen: date, at: datetime) -> tuple[date, date | None]:
    """The day before, and the day after unless it is in the future."""
    after = chosen + timedelta(days=1)
    return chosen - timedelta(days=1), after if after <= today(at) else None
