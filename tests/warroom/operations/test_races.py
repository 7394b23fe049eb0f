"""Joining, stepping and sweeping at the same time, with real threads and real commits (I3, I6)."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from threading import Barrier
from time import monotonic
from typing import Any

import pytest
from django.db import connection

from core.errors import Refused
from notifications.models import Delivery
from tests.factories import NINE_OCLOCK
from tests.factories.warroom import AlertGroupFactory, ClockStepFactory, IncidentFactory
from tests.warroom.conftest import load_site, opened, person, take
from warroom.models import Clock, ClockStep, Incident, TimelineEntry
from warroom.operations import clocks, incidents

pytestmark = pytest.mark.django_db(transaction=True)
TEN = NINE_OCLOCK + timedelta(minutes=10)


def at_once(*calls: Callable[[], Any]) -> Sequence[Any]:
    """Run the calls in threads that start together; a refusal is an answer."""
    gate = Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        try:
            gate.wait(timeout=30)
            return call()
        except Refused as refusal:
            return refusal
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def test_two_events_about_one_group_open_one_incident() -> None:
    load_site()
    group = AlertGroupFactory.create()

    at_once(*[lambda: incidents.follow_group(group_id=group.pk, at=NINE_OCLOCK)] * 4)

    assert Incident.objects.count() == 1
    assert Clock.objects.count() == 2


def test_one_person_joining_twice_at_once_joins_once() -> None:
    load_site()
    incident, user = opened(), person("HW")

    answers = at_once(*[lambda: take(incident, "join", user, NINE_OCLOCK)] * 3)

    assert sum(isinstance(answer, Refused) for answer in answers) == 2
    assert incident.timeline.filter(kind="joined").count() == 1


def test_joining_and_the_breach_at_once_leave_one_consistent_story() -> None:
    load_site()
    incident = opened()
    for domain in ("SRE", "PLT", "HW"):
        take(incident, "join", person(domain), NINE_OCLOCK)

    at_once(
        lambda: take(incident, "join", person("DRV"), TEN),
        lambda: clocks.fire_due(at=TEN),
        lambda: clocks.fire_due(at=TEN),
    )

    clock = incident.clocks.get(kind="assemble")
    assert incident.timeline.filter(kind="assemble_breached").count() == 1
    assert (clock.state, clock.breached_at) == ("met_late", TEN)


def test_joining_and_a_rung_of_the_ladder_at_once_never_deadlock() -> None:
    load_site()
    incident = opened()
    joins = [
        lambda d=d: take(incident, "join", person(d), NINE_OCLOCK + timedelta(minutes=3))
        for d in ("SRE", "PLT", "HW", "DRV")
    ]

    at_once(*joins, lambda: clocks.fire_due(at=NINE_OCLOCK + timedelta(minutes=3)))

    incident.refresh_from_db()
    assert incident.state == "assembled"
    assert incident.timeline.filter(kind="joined").count() == 4


def test_several_sweepers_fire_each_step_exactly_once() -> None:
    load_site()
    owner = person("SRE")
    made = [
        ClockStepFactory.create(clock__incident__owner=owner, clock__incident__recovery_owner=owner)
        for _ in range(30)
    ]

    counts = at_once(*[lambda: clocks.fire_due(at=NINE_OCLOCK + timedelta(hours=2))] * 4)

    assert sum(counts) == len(made)
    assert TimelineEntry.objects.filter(kind="restore_breached").count() == len(made)
    assert Delivery.objects.filter(channel="inbox").count() == len(made)
    assert not ClockStep.objects.exclude(state="fired").exists()


def test_200_growths_at_once_count_right() -> None:
    load_site()
    group = AlertGroupFactory.create()
    incidents.follow_group(group_id=group.pk, at=NINE_OCLOCK)

    def grow() -> None:
        for _ in range(25):
            incidents.follow_group(group_id=group.pk, at=NINE_OCLOCK)

    at_once(*[grow] * 8)

    assert Incident.objects.get().alert_count == group.alert_count


@pytest.mark.slow
def test_thousands_of_clocks_due_at_once_fire_once_each() -> None:
    load_site()
    due, many = NINE_OCLOCK + timedelta(hours=2), 2_000
    _restore_clocks(many, due)

    started = monotonic()
    fired = clocks.fire_due(at=due + timedelta(seconds=1))
    took = monotonic() - started

    assert fired == many
    assert Clock.objects.filter(state="breached", breached_at=due).count() == many
    assert TimelineEntry.objects.filter(kind="restore_breached", at=due).count() == many
    print(f"{many} clocks due at once: {took:.2f} s")  # noqa: T201 - a measure, not a limit


def _restore_clocks(many: int, due: datetime) -> None:
    """So many incidents with a restore clock and its breach, made set-based."""
    owner = person("SRE")
    made = Incident.objects.bulk_create(
        IncidentFactory.build_batch(many, owner=owner, recovery_owner=owner), batch_size=1000
    )
    made_clocks = Clock.objects.bulk_create(
        [Clock(incident=one, kind="restore", started_at=one.opened_at, due_at=due) for one in made],
        batch_size=1000,
    )
    ClockStep.objects.bulk_create(
        [
            ClockStep(incident=c.incident, clock=c, action="restore_breach", due_at=due)
            for c in made_clocks
        ],
        batch_size=1000,
    )
