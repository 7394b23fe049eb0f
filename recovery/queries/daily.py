"""
The numbers of one site-day. Every definition stands in docs/metrics.md under the same name.

A recovery belongs to the day of its fault, an incident to the day it was opened, both in the
site's zone. Durations are over successes; failures are counted beside. Drills never count.
"""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Aggregate, Avg, Count, DurationField, F, Max, Q, QuerySet
from django.db.models.expressions import ExpressionWrapper

from people.models import User
from people.queries import visible
from recovery.models import Recovery, RecoveryQuerySet, Stage
from recovery.states import BASELINE_S, TARGET_S
from warroom.models import Clock, Incident, TimelineEntry
from warroom.states import IncidentState

# What never was an incident, and what is counted under another number.
NOT_COUNTED = [
    IncidentState.PROPOSED,
    IncidentState.REJECTED,
    IncidentState.FALSE_ALARM,
    IncidentState.MERGED,
]


class Percentile(Aggregate):
    """PostgreSQL's percentile_cont: linear interpolation between the two nearest rows."""

    function = "percentile_cont"
    template = "%(function)s(%(fraction)s) WITHIN GROUP (ORDER BY %(expressions)s)"
    output_field = DurationField()

    def __init__(self, expression: Any, *, fraction: float) -> None:
        super().__init__(expression, fraction=fraction)


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """A day of the site: [start, end) as instants. 23 to 25 hours long where clocks change."""

    date: date
    zone: ZoneInfo

    @property
    def start(self) -> datetime:
        return datetime.combine(self.date, time.min, tzinfo=self.zone)

    @property
    def end(self) -> datetime:
        return datetime.combine(self.date + timedelta(days=1), time.min, tzinfo=self.zone)


def report(day: Day, user: User) -> dict[str, Any]:
    """The report of contract.md, over what `user` may see. Seconds throughout; null: no data."""
    recoveries = recoveries_of(day, user)
    return {
        "date": day.date,
        "zone": str(day.zone),
        "closed_at": None,
        "restated_at": None,
        "recoveries": _durations(recoveries),
        "baseline_seconds": BASELINE_S,
        "target_seconds": TARGET_S,
        "stages": _stages(recoveries),
        **_of_incidents(incidents_of(day, user)),
        "ettr": None,
    }


def recoveries_of(day: Day, user: User) -> RecoveryQuerySet:
    counted = Recovery.objects.counted().of_faults_between(day.start, day.end)
    return visible(counted.with_total(), user)


def incidents_of(day: Day, user: User) -> QuerySet[Incident]:
    chosen = visible(Incident.objects.filter(is_drill=False), user)
    return chosen.filter(opened_at__gte=day.start, opened_at__lt=day.end).exclude(
        state__in=NOT_COUNTED
    )


def _durations(recoveries: RecoveryQuerySet) -> dict[str, Any]:
    good = Q(success=True)
    found = recoveries.aggregate(
        count=Count("pk"),
        ok=Count("pk", filter=good),
        failed=Count("pk", filter=Q(failed_at__isnull=False, success=False)),
    )
    spans = recoveries.succeeded().aggregate(
        median=Percentile("total", fraction=0.5),
        p90=Percentile("total", fraction=0.9),
        longest=Max("total"),
    )
    return {
        "count": found["count"],
        "success": found["ok"],
        "failed": found["failed"],
        "median_seconds": _seconds(spans["median"]),
        "p90_seconds": _seconds(spans["p90"]),
        "max_seconds": _seconds(spans["longest"]),
    }


def _stages(recoveries: RecoveryQuerySet) -> dict[str, dict[str, Any]]:
    """Of finished stages of successful recoveries; a stage that ran twice counts twice."""
    span = ExpressionWrapper(F("ended_at") - F("started_at"), output_field=DurationField())
    rows = (
        Stage.objects.filter(
            recovery__in=recoveries.succeeded().values("pk"), ended_at__isnull=False
        )
        .annotate(span=span)
        .values("stage")
        .annotate(median=Percentile("span", fraction=0.5), p90=Percentile("span", fraction=0.9))
        .order_by("stage")
    )
    return {
        row["stage"]: {
            "median_seconds": _seconds(row["median"]),
            "p90_seconds": _seconds(row["p90"]),
        }
        for row in rows
    }


def _of_incidents(incidents: QuerySet[Incident]) -> dict[str, Any]:
    means = incidents.aggregate(
        opened=Count("pk"),
        acknowledged=Count("acknowledged_at"),
        detect=Avg(_span("occurred_at", "detected_at")),
        acknowledge=Avg(_span("detected_at", "acknowledged_at")),
        restore=Avg(_span("occurred_at", "restored_at")),
    )
    return {
        "incidents": means["opened"],
        "never_acknowledged": means["opened"] - means["acknowledged"],
        "clocks": _clocks(incidents),
        "late_domains": _late_domains(incidents),
        "mttd_seconds": _seconds(means["detect"]),
        "mtta_seconds": _seconds(means["acknowledge"]),
        "mttr_seconds": _seconds(means["restore"]),
    }


def _span(start: str, end: str) -> "ExpressionWrapper[Any]":
    return ExpressionWrapper(F(end) - F(start), output_field=DurationField())


def _clocks(incidents: QuerySet[Incident]) -> dict[str, dict[str, int]]:
    """Kept: met and never breached. Missed: breached, whether met later or not."""
    rows = (
        Clock.objects.filter(incident__in=incidents.values("pk"), kind__in=["assemble", "restore"])
        .values("kind")
        .annotate(
            met=Count("pk", filter=Q(met_at__isnull=False, breached_at=None)),
            breached=Count("pk", filter=Q(breached_at__isnull=False)),
        )
    )
    found = {row["kind"]: {"met": row["met"], "breached": row["breached"]} for row in rows}
    none = {"met": 0, "breached": 0}
    return {kind: found.get(kind, none) for kind in ("assemble", "restore")}


def _late_domains(incidents: QuerySet[Incident]) -> dict[str, int]:
    """How often a domain was missing when the assemble clock was missed."""
    found: dict[str, int] = {}
    entries = TimelineEntry.objects.filter(
        incident__in=incidents.values("pk"), kind="assemble_breached"
    ).values_list("params", flat=True)
    for params in entries:
        for domain in params.get("missing") or []:
            found[domain] = found.get(domain, 0) + 1
    return dict(sorted(found.items(), key=lambda pair: (-pair[1], pair[0])))


def _seconds(span: timedelta | None) -> float | None:
    return round(span.total_seconds(), 3) if span is not None else None
