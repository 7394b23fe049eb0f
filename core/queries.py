"""Reads that every app needs: the site, the age of the sweep, health."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import Count, Min

from core import live
from core.models import Event, Heartbeat
from core.registry import Metric

SILENT_AFTER_S = 30.0  # design: a sweep silent for 30 s is shown on every page


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    name: str
    zone: ZoneInfo
    language: str
    clock_scale: float
    demo: bool


def site() -> Site:
    return Site(
        name=settings.SITE_NAME,
        zone=ZoneInfo(settings.SITE_ZONE),
        language=settings.LANGUAGE_CODE,
        clock_scale=settings.CLOCK_SCALE,
        demo=settings.DEMO,
    )


def sweep_age(at: datetime) -> float | None:
    """Seconds since a sweep last ran; None when none ever did."""
    beat = Heartbeat.objects.filter(name="sweep").first()
    return max(0.0, (at - beat.at).total_seconds()) if beat else None


def ready_database(at: datetime) -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as error:
        return f"database: {error}"
    return ""


def ready_sweep(at: datetime) -> str:
    age = sweep_age(at)
    if age is None:
        return "sweep: no worker has run it yet"
    return f"sweep: silent for {age:.0f} s" if age > SILENT_AFTER_S else ""


def ready_broker() -> str:
    return "" if live.versions(["board"]) is not None else "broker: does not answer"


def metrics_of_core(at: datetime) -> Iterable[Metric]:
    waiting = Event.objects.filter(dispatched_at__isnull=True).aggregate(
        n=Count("id"), oldest=Min("created_at")
    )
    age = (at - waiting["oldest"]).total_seconds() if waiting["oldest"] else 0.0
    yield Metric(
        name="warroom_events_undispatched", value=waiting["n"], help="Events in the outbox"
    )
    yield Metric(
        name="warroom_events_oldest_seconds", value=age, help="Age of the oldest undispatched event"
    )
    sweep = sweep_age(at)
    yield Metric(
        name="warroom_sweep_age_seconds",
        value=-1.0 if sweep is None else sweep,
        help="Seconds since a sweep last ran; -1 when none ever did",
    )
