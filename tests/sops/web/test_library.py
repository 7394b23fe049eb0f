from datetime import timedelta

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from sops.models import ProcedureVersion
from sops.operations import runs, steps
from tests.factories import NINE_OCLOCK, AudienceFactory, UserFactory
from tests.factories.sops import VersionFactory
from tests.factories.warroom import IncidentFactory

pytestmark = pytest.mark.django_db
Procedures = dict[str, ProcedureVersion]
CODES = ["TLF", "PSD", "NHG", "NCR", "NIN", "DRV"]


@pytest.fixture
def page(client: Client) -> Client:
    client.force_login(UserFactory.create())
    return client


@pytest.fixture
def chinese(db: None) -> Client:
    client = Client()
    client.force_login(UserFactory.create(chinese=True))
    return client


def test_the_shelf_shows_the_six_and_says_what_was_never_drilled(
    page: Client, procedures: Procedures
) -> None:
    runs.follow(number=IncidentFactory.create(is_drill=True).number, at=NINE_OCLOCK)
    runs.follow(number=IncidentFactory.create(failure_class="NIN").number, at=NINE_OCLOCK)

    text = page.get("/sops/").content.decode()

    assert text.count("<article") == 6
    assert text.count("never drilled") == 5
    assert text.count("never run") == 5
    assert "ends by minute 90" in text


def test_an_empty_shelf_says_how_to_fill_it(page: Client) -> None:
    assert b"manage.py load_procedures" in page.get("/sops/").content


def test_a_run_that_may_not_be_seen_leaves_no_trace_on_the_shelf(
    page: Client, procedures: Procedures
) -> None:
    hidden = IncidentFactory.create(audience=AudienceFactory.create())
    runs.follow(number=hidden.number, at=NINE_OCLOCK)

    assert page.get("/sops/").content.decode().count("never run") == 6
    assert "Never run" in page.get("/sops/DRV/runs/").content.decode()


@pytest.mark.parametrize("code", CODES)
def test_each_procedure_reads_in_both_languages(
    page: Client, chinese: Client, procedures: Procedures, code: str
) -> None:
    english = page.get(f"/sops/{code}/").content.decode()
    text = chinese.get(f"/sops/{code.lower()}/").content.decode()

    content = procedures[code].text
    assert content.name.en in english
    assert content.name.zh in text
    assert english.count('class="step"') == text.count('class="step"') == 13
    for step in content.steps:
        assert step.title.zh in text
    for left in ("Expected", "Roll back", "Stop at once", "Default tier", "Sources", "step "):
        assert f">{left}" not in text


def test_an_older_version_says_that_there_is_a_newer_one(
    page: Client, procedures: Procedures
) -> None:
    VersionFactory.create(code="DRV", number=2)

    assert b"version 2 is newer" in page.get("/sops/DRV/?version=1").content
    assert b"is newer" not in page.get("/sops/DRV/").content


def test_what_is_not_there_is_not_found(page: Client, procedures: Procedures) -> None:
    assert page.get("/sops/XYZ/").status_code == 404
    assert page.get("/sops/DRV/?version=7").status_code == 404


def test_the_history_compares_steps_with_their_budget(page: Client, procedures: Procedures) -> None:
    by = UserFactory.create()
    for minutes in (2, 8):
        run = runs.follow(number=IncidentFactory.create().number, at=NINE_OCLOCK)
        assert run is not None
        at = NINE_OCLOCK + timedelta(minutes=minutes)
        steps.done(run_id=run.pk, step=1, output="", note="", by=by, at=at)
    drill = runs.follow(number=IncidentFactory.create(is_drill=True).number, at=NINE_OCLOCK)
    assert drill is not None
    late = NINE_OCLOCK + timedelta(hours=9)
    steps.done(run_id=drill.pk, step=1, output="", note="", by=by, at=late)

    text = page.get("/sops/DRV/runs/").content.decode()

    assert "5.0" in text
    assert "8.0" in text
    assert "540.0" not in text
    assert text.count("data-row") == 3 + 13


def test_the_history_costs_the_same_however_long(
    page: Client, procedures: Procedures, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(12):
        runs.follow(number=IncidentFactory.create().number, at=NINE_OCLOCK)

    with django_assert_max_num_queries(14):
        page.get("/sops/DRV/runs/")


def test_pages_need_a_login(client: Client, procedures: Procedures) -> None:
    for url in ("/sops/", "/sops/DRV/", "/sops/DRV/runs/", "/incidents/1/sop/"):
        assert client.get(url).status_code == 302
