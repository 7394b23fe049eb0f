import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from people.models import ApiToken, Override, Responsibility, Shift, User
from people.operations import demo, responsibilities
from tests.factories import NINE_OCLOCK, PASSWORD, ShiftFactory, UserFactory

pytestmark = pytest.mark.django_db
PAGES = ["people:duty", "people:duty-panel", "people:matrix", "people:me", "people:tokens"]


def logged_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_pages_show_the_demo_in_both_languages(page: str, language: str) -> None:
    demo.load(NINE_OCLOCK)
    client = logged_in(UserFactory.create(lead=True, language=language))

    assert client.get(reverse(page)).status_code == 200


@pytest.mark.parametrize("page", PAGES)
def test_pages_need_a_login(page: str) -> None:
    answer = Client().get(reverse(page))

    assert answer.status_code == 302
    assert "/accounts/login/" in answer["Location"]


def test_a_person_logs_in_and_out() -> None:
    user, client = UserFactory.create(), Client()

    client.post("/accounts/login/", {"username": user.username, "password": PASSWORD})
    assert client.get(reverse("people:me")).status_code == 200
    client.post("/accounts/logout/")

    assert client.get(reverse("people:me")).status_code == 302


def test_the_duty_page_says_gaps_and_shows_only_own_regions() -> None:
    ShiftFactory.create(roster__region="ulanqab", primary__name="Here")
    ShiftFactory.create(roster__region="shanghai", primary__name="Elsewhere")

    page = logged_in(UserFactory.create(regions=["ulanqab"])).get(reverse("people:duty"))

    text = page.content.decode()
    assert "No roster for Network" in text
    assert "Here" in text
    assert 'title="Elsewhere"' not in text
    assert "<b>Elsewhere</b>" not in text


def test_the_duty_page_asks_as_much_for_sixteen_rosters_as_for_one() -> None:
    client = logged_in(UserFactory.create())
    ShiftFactory.create()

    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            client.get(reverse("people:duty-now"), headers={"HX-Request": "true"})
        return len(asked)

    queries()
    few = queries()
    demo.load(NINE_OCLOCK)

    assert queries() <= few


def test_a_lead_sets_an_override_and_a_stranger_is_refused_with_who_may() -> None:
    shift, lead = ShiftFactory.create(), UserFactory.create(lead=True)
    data = {
        "roster": shift.roster_id,
        "slot": "primary",
        "user": lead.pk,
        "starts_at": "2026-03-02T10:00",
        "ends_at": "2026-03-02T12:00",
    }

    refused = logged_in(UserFactory.create()).post(reverse("people:override-add"), data)
    done = logged_in(lead).post(reverse("people:override-add"), data)

    assert refused.status_code == 403
    assert "manager" in refused.content.decode()
    assert done.status_code == 204
    assert Override.objects.get().user == lead


def test_the_matrix_shows_what_nobody_would_answer_and_refuses_a_stale_write() -> None:
    responsibilities.load_shipped(at=NINE_OCLOCK)
    client = logged_in(UserFactory.create(lead=True))
    data = {"failure_class": "DRV", "domain": "NET", "letter": "C", "condition": "", "version": 1}

    first = client.post(reverse("people:matrix-cell"), data)
    second = client.post(reverse("people:matrix-cell"), {**data, "letter": "R"})

    assert "cells nobody would answer" in first.content.decode()
    assert (first.status_code, second.status_code) == (200, 412)
    assert "it now says DRV/NET: C" in second.content.decode()
    assert Responsibility.objects.get(failure_class="DRV", domain="NET").letter == "C"


def test_a_token_is_shown_once() -> None:
    client = logged_in(UserFactory.create())

    made = client.post(reverse("people:tokens"), {"name": "ci", "scopes": ["read"]})
    again = client.get(reverse("people:tokens"))

    assert "wr_" in made.content.decode()
    assert made["Cache-Control"] == "no-store"
    assert "wr_" not in again.content.decode()
    client.post(reverse("people:token-revoke", args=[ApiToken.objects.get().pk]))
    assert ApiToken.objects.get().revoked_at


def test_the_profile_sets_language_and_zone_for_the_next_page() -> None:
    user = UserFactory.create()
    client = logged_in(user)

    answer = client.post(
        reverse("people:me"),
        {
            "name": "王芳",
            "language": "zh-hans",
            "time_zone": "Asia/Shanghai",
            "email": "",
            "phone": "",
        },
        follow=True,
    )

    user.refresh_from_db()
    assert (user.language, user.time_zone) == ("zh-hans", "Asia/Shanghai")
    assert 'lang="zh-Hans"' in answer.content.decode()


def test_a_gap_in_one_region_is_red_in_the_matrix() -> None:
    demo.load(NINE_OCLOCK)
    Shift.objects.filter(roster__team__domain="STO", roster__region="ulanqab").update(primary=None)

    text = logged_in(UserFactory.create(lead=True)).get(reverse("people:matrix")).content.decode()

    assert "1 cell nobody would answer" in text
