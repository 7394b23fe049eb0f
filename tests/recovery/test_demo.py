"""The demo's month is made up, but nothing in it contradicts itself."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from core.queries import site
from fleet.models import Job
from people.models import User
from people.operations import demo as people_demo
from recovery.models import Recovery, Stage
from recovery.operations import demo
from recovery.operations.demo import planning
from recovery.queries import daily, pages
from tests.factories import NINE_OCLOCK
from tests.factories.fleet import JobFactory
from warroom.models import Clock, Incident, Room, TimelineEntry

pytestmark = pytest.mark.django_db
SHANGHAI = ZoneInfo("Asia/Shanghai")


def jobs() -> dict[str, Job]:
    made = [
        JobFactory.create(job_id=job_id, region=region, cards=cards)
        for job_id, region, cards in (
            ("pt-moe-700b-0318", "ulanqab", 6144),
            ("pt-dense-135b-0311", "shanghai", 3072),
            ("sft-32b-0316", "shanghai", 1536),
        )
    ]
    return {job.job_id: job for job in made}


def test_the_plan_is_the_same_each_time_and_over_by_now() -> None:
    fleet = jobs()

    first = planning.plan(at=NINE_OCLOCK, zone=SHANGHAI, jobs=fleet)
    second = planning.plan(at=NINE_OCLOCK, zone=SHANGHAI, jobs=fleet)

    assert first == second
    assert all(fault.restored_at < NINE_OCLOCK for fault in first)
    assert 100 < len(first) < 190


def test_one_job_is_never_restarted_twice_at_once() -> None:
    ends: dict[str, datetime] = {}
    for fault in planning.plan(at=NINE_OCLOCK, zone=SHANGHAI, jobs=jobs()):
        assert fault.job.job_id not in ends or fault.at > ends[fault.job.job_id]
        ends[fault.job.job_id] = fault.restored_at


def test_every_restart_ends_where_its_last_stage_ends() -> None:
    for fault in planning.plan(at=NINE_OCLOCK, zone=SHANGHAI, jobs=jobs()):
        assert fault.recoveries[-1].first_step_at is not None
        for one in fault.recoveries:
            end = one.first_step_at or one.failed_at
            assert end == one.stages[-1].ended_at
            assert one.stages[0].started_at == one.fault_at
            assert one.step_at_fault >= one.checkpoint_step


def test_a_month_of_history_goes_from_188_to_20_minutes_and_agrees_with_its_incidents() -> None:
    jobs()
    people_demo.load(NINE_OCLOCK)
    reader = User.objects.get(username="admin")

    demo.load(NINE_OCLOCK)

    def median(days_ago: int) -> float:
        day = pages.today(NINE_OCLOCK - timedelta(days=days_ago))
        found = daily.report(daily.Day(date=day, zone=site().zone), reader)
        return float(found["recoveries"]["median_seconds"]) / 60

    assert 140 < median(29) < 240
    assert 14 < median(1) < 26
    incidents = Incident.objects.all()
    assert incidents.filter(imported=True, state="closed").count() == incidents.count() > 100
    assert Room.objects.filter(state="stood_down").count() == incidents.count()
    assert not Clock.objects.exclude(state__in=["met", "met_late"]).exists()
    assert not Recovery.objects.filter(incident=None).exists()
    assert not TimelineEntry.objects.filter(at__gt=NINE_OCLOCK).exists()
    for incident in incidents.prefetch_related("clocks", "jobs"):
        assert incident.occurred_at
        assert incident.restored_at
        assert incident.closed_at
        assert incident.occurred_at <= incident.detected_at <= incident.opened_at
        assert incident.opened_at < incident.restored_at < incident.closed_at
        assert incident.tier == 2 or incident.restored_at <= incident.opened_at + timedelta(hours=1)
        for clock in incident.clocks.all():
            assert clock.met_at is not None
            assert bool(clock.breached_at) == (clock.met_at > clock.due_at)

    before = Stage.objects.count()
    assert "already" in demo.load(NINE_OCLOCK)
    assert Stage.objects.count() == before


def test_without_anybody_on_duty_there_are_recoveries_and_no_incidents() -> None:
    jobs()

    demo.load(NINE_OCLOCK)

    assert not Incident.objects.exists()
    assert Recovery.objects.count() > 100
