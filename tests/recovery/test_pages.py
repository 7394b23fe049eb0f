from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from core.queries import site
from recovery.models import Recovery
from recovery.queries import daily, pages
from recovery.states import ON_PATH, StageSlug
from recovery.web import charts
from tests.factories import NINE_OCLOCK, UserFactory
from tests.factories.recovery import RecoveryFactory, StageFactory

pytestmark = pytest.mark.django_db
DAY = "2026-03-02"  # NINE_OCLOCK is 17:00 of it in the site's zone


def recovery(**columns: Any) -> Recovery:
    """A recovery whose ten stages share its time evenly, one after the other."""
    made = RecoveryFactory.create(**columns)
    end = made.first_step_at or made.failed_at or NINE_OCLOCK
    share = (end - made.fault_at) / len(ON_PATH)
    for place, stage in enumerate(ON_PATH):
        started_at = made.fault_at + place * share
        StageFactory.create(
            recovery=made, stage=stage, started_at=started_at, ended_at=started_at + share
        )
    return made


@pytest.fixture
def reader(client: Client) -> Client:
    client.force_login(UserFactory.create())
    return client


def text(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_daily_page_shows_the_recoveries_of_the_sites_day(reader: Client) -> None:
    inside = recovery(minutes=18)
    before = recovery(fault_at=NINE_OCLOCK - timedelta(hours=18), minutes=30)

    page = text(reader, f"/recovery/{DAY}/")

    assert inside.job_id in page
    assert "18.0 min" in page
    assert f"recovery-{before.pk}" not in page
    assert "target 20" in page
    assert "baseline 188" in page


def test_an_empty_day_says_so_and_leads_on(reader: Client) -> None:
    page = text(reader, "/recovery/2025-01-01/")

    assert "No recovery on this day" in page
    assert "/recovery/2024-12-31/" in page


@pytest.mark.parametrize("day", ["9999-12-31", "0001-01-01", "2026-13-45", "today"])
def test_a_date_that_no_site_can_have_is_refused(reader: Client, day: str) -> None:
    assert reader.get(f"/recovery/{day}/").status_code == 404
    assert reader.get(f"/api/v1/reports/daily/{day}").status_code == 400


def test_a_failed_restart_is_counted_beside(reader: Client) -> None:
    recovery(minutes=10)
    recovery(minutes=50, failed=True)

    page = text(reader, f"/recovery/{DAY}/")

    assert "1 succeeded · 1 failed" in page
    assert "10.0 min" in page


def test_a_drill_is_not_on_the_page(reader: Client) -> None:
    recovery(is_drill=True)

    assert "No recovery on this day" in text(reader, f"/recovery/{DAY}/")


def test_who_may_not_see_a_region_sees_no_trace(client: Client) -> None:
    recovery()
    client.force_login(UserFactory.create(regions=["shanghai"]))

    assert "No recovery on this day" in text(client, f"/recovery/{DAY}/")


def test_the_front_page_of_recovery_is_the_day_asked_for(reader: Client) -> None:
    assert reader.get("/recovery/?day=2026-03-01").headers["Location"] == "/recovery/2026-03-01/"
    assert reader.get("/recovery/").status_code == 302
    assert reader.get("/recovery/yesterday/").status_code == 404


def test_the_tile_says_that_there_was_none_yet(reader: Client) -> None:
    assert "no recovery yet" in text(reader, "/recovery/tile/")


def test_the_page_is_complete_in_chinese(client: Client) -> None:
    client.force_login(UserFactory.create(language="zh-hans"))
    recovery()

    page = text(client, f"/recovery/{DAY}/")

    assert "每日快恢统计" in page
    assert "模型加载" in page


def test_the_chart_has_the_ten_stages_in_order_and_both_lines() -> None:
    recovery(minutes=20)
    window = daily.Day(date=pages.today(NINE_OCLOCK), zone=site().zone)

    option = charts.stages(pages.bars(window, UserFactory.create()))

    names = [series["name"] for series in option["series"]]
    assert names == [str(slug.label) for slug in StageSlug if slug != "checkpoint_backup"]
    lines = [line["xAxis"] for line in option["series"][0]["markLine"]["data"]]
    assert lines[0] == 20
    assert lines[1] == option["xAxis"]["max"], "the baseline is beyond the axis, at its edge"


def test_long_recoveries_have_the_baseline_on_their_scale() -> None:
    recovery(minutes=150)
    window = daily.Day(date=pages.today(NINE_OCLOCK), zone=site().zone)

    option = charts.stages(pages.bars(window, UserFactory.create()))

    assert option["series"][0]["markLine"]["data"][1]["xAxis"] == 188
    assert option["xAxis"]["max"] > 188


@pytest.mark.parametrize("count", [1, 12])
def test_the_page_takes_as_many_queries_for_many_recoveries(
    count: int, reader: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(count):
        recovery()

    with django_assert_max_num_queries(20):
        text(reader, f"/recovery/{DAY}/")
