"""The numbers of a site-day, against values worked out by hand."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from people.models import User
from recovery.queries import daily
from tests.factories import UserFactory
from tests.factories.recovery import RecoveryFactory, StageFactory
from tests.factories.warroom import ClockFactory, IncidentFactory

pytestmark = pytest.mark.django_db
SHANGHAI = ZoneInfo("Asia/Shanghai")
DAY = daily.Day(date=date(2026, 3, 2), zone=SHANGHAI)
NOON = datetime(2026, 3, 2, 12, tzinfo=SHANGHAI)


@pytest.fixture
def reader() -> User:
    return UserFactory.create()


def test_median_and_p90_interpolate_over_successes_and_failures_stand_beside(reader: User) -> None:
    for minutes in (10, 20, 30, 40, 100):
        RecoveryFactory.create(fault_at=NOON, minutes=minutes)
    RecoveryFactory.create(fault_at=NOON, failed=True)
    RecoveryFactory.create(fault_at=NOON, running=True)

    found = daily.report(DAY, reader)["recoveries"]

    assert found == {
        "count": 7,
        "success": 5,
        "failed": 1,
        "median_seconds": 30 * 60,
        "p90_seconds": (40 + 0.6 * 60) * 60,
        "max_seconds": 100 * 60,
    }


@pytest.mark.parametrize(
    ("fault_at", "counted"),
    [
        (datetime(2026, 3, 1, 23, 59, 59, tzinfo=SHANGHAI), 0),
        (datetime(2026, 3, 2, 0, 0, tzinfo=SHANGHAI), 1),
        (datetime(2026, 3, 2, 23, 59, 59, tzinfo=SHANGHAI), 1),
        (datetime(2026, 3, 3, 0, 0, tzinfo=SHANGHAI), 0),
    ],
)
def test_a_recovery_belongs_to_the_site_day_of_its_fault(
    fault_at: datetime, counted: int, reader: User
) -> None:
    RecoveryFactory.create(fault_at=fault_at, minutes=300)

    assert daily.report(DAY, reader)["recoveries"]["count"] == counted


def test_a_day_on_which_clocks_change_has_all_its_hours() -> None:
    spring = daily.Day(date=date(2026, 3, 8), zone=ZoneInfo("America/Chicago"))
    autumn = daily.Day(date=date(2026, 11, 1), zone=ZoneInfo("America/Chicago"))

    hours = [
        (day.end.astimezone(ZoneInfo("UTC")) - day.start.astimezone(ZoneInfo("UTC")))
        for day in (spring, autumn)
    ]

    assert hours == [timedelta(hours=23), timedelta(hours=25)]


def test_drills_are_in_no_number(reader: User) -> None:
    RecoveryFactory.create(fault_at=NOON, is_drill=True)
    drill = IncidentFactory.create(opened_at=NOON, is_drill=True)
    ClockFactory.create(incident=drill, state="met", met_at=NOON)

    report = daily.report(DAY, reader)

    assert report["recoveries"]["count"] == 0
    assert report["incidents"] == 0
    assert report["clocks"]["restore"] == {"met": 0, "breached": 0}


def test_who_may_not_see_a_region_has_none_of_it_in_the_numbers() -> None:
    RecoveryFactory.create(fault_at=NOON, region="ulanqab")
    of_shanghai = UserFactory.create(regions=["shanghai"])

    assert daily.report(DAY, of_shanghai)["recoveries"]["count"] == 0


def test_a_clock_that_was_met_late_counts_as_missed(reader: User) -> None:
    kept = IncidentFactory.create(opened_at=NOON)
    ClockFactory.create(incident=kept, kind="restore", state="met", met_at=NOON)
    late = IncidentFactory.create(opened_at=NOON)
    ClockFactory.create(
        incident=late,
        kind="restore",
        state="met_late",
        met_at=NOON + timedelta(hours=3),
        breached_at=NOON + timedelta(hours=2),
    )
    ClockFactory.create(incident=late, kind="assemble")

    clocks = daily.report(DAY, reader)["clocks"]

    assert clocks == {
        "restore": {"met": 1, "breached": 1},
        "assemble": {"met": 0, "breached": 0},
    }


def test_the_mean_to_acknowledge_is_over_acknowledged_incidents_with_the_others_beside(
    reader: User,
) -> None:
    IncidentFactory.create(
        opened_at=NOON, detected_at=NOON, acknowledged_at=NOON + timedelta(minutes=2)
    )
    IncidentFactory.create(opened_at=NOON, detected_at=NOON)

    report = daily.report(DAY, reader)

    assert report["mtta_seconds"] == 120
    assert report["never_acknowledged"] == 1


def test_false_alarms_and_merged_incidents_are_not_counted(reader: User) -> None:
    survivor = IncidentFactory.create(opened_at=NOON)
    IncidentFactory.create(opened_at=NOON, state="merged", merged_into=survivor)
    IncidentFactory.create(opened_at=NOON, state="false_alarm")

    assert daily.report(DAY, reader)["incidents"] == 1


def test_stage_medians_are_over_finished_stages_of_successes(reader: User) -> None:
    good = RecoveryFactory.create(fault_at=NOON)
    StageFactory.create(recovery=good, started_at=NOON, ended_at=NOON + timedelta(minutes=2))
    StageFactory.create(
        recovery=RecoveryFactory.create(fault_at=NOON),
        started_at=NOON,
        ended_at=NOON + timedelta(minutes=4),
    )
    StageFactory.create(recovery=good, stage="link_build", started_at=NOON, ended_at=None)
    StageFactory.create(recovery=RecoveryFactory.create(fault_at=NOON, failed=True))

    assert daily.report(DAY, reader)["stages"] == {
        "checkpoint_load": {"median_seconds": 180, "p90_seconds": 228}
    }


def test_an_empty_day_has_no_numbers_rather_than_zeros(reader: User) -> None:
    report = daily.report(DAY, reader)

    assert report["recoveries"]["median_seconds"] is None
    assert report["mttr_seconds"] is None
    assert (report["baseline_seconds"], report["target_seconds"]) == (11280, 1200)
