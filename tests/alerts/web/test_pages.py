from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import translation
from pytest_django import DjangoAssertNumQueries

from alerts.models import Alert, AlertGroup, Receipt, Source
from alerts.queries.last_hour import last_hour
from tests.alerts.payloads import body, item, take
from tests.factories import NINE_OCLOCK, UserFactory
from tests.factories.alerts import SourceFactory

pytestmark = pytest.mark.django_db
AT = NINE_OCLOCK + timedelta(minutes=1)
ECC = {"node": "sn05-n17", "npu": "3", "fault_code": "80E01801", "region": "ulanqab"}


@pytest.fixture
def admin(client: Client) -> Client:
    client.force_login(UserFactory.create(admin=True))
    return client


def paths() -> list[str]:
    group, alert = AlertGroup.objects.get(), Alert.objects.order_by("pk")[0]
    receipt = Receipt.objects.all()[0]
    return [
        "/alerts/",
        f"/alerts/?group={group.pk}",
        f"/alerts/{alert.pk}/",
        "/alerts/new/0/",
        "/alerts/last-hour/",
        "/alert-groups/",
        f"/alert-groups/{group.pk}/",
        "/receipts/",
        f"/receipts/{receipt.id}/",
        "/settings/sources/",
    ]


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_every_page_is_there_in_both_languages(client: Client, language: str) -> None:
    client.force_login(UserFactory.create(admin=True, language=language))
    told = body(item("NPUErrorCodeWarning", labels=ECC), item("Other", labels={"severity": "?"}))
    take(SourceFactory.create(), told)

    with translation.override(language):
        assert {client.get(path).status_code for path in paths()} == {200}


@pytest.mark.parametrize("path", ["/alerts/", "/alert-groups/", "/receipts/", "/settings/sources/"])
def test_an_empty_page_says_what_to_do(admin: Client, path: str) -> None:
    assert "empty-state" in admin.get(path).content.decode()


def test_what_a_sender_wrote_is_escaped(admin: Client) -> None:
    nasty = "<script>alert(1)</script>{{ 7|add:7 }}%(x)s"
    more: dict[str, Any] = {"annotations": {"summary": nasty, "link": "javascript:alert(1)"}}
    take(
        SourceFactory.create(name=nasty[:90]),
        body(item(nasty, labels={**ECC, nasty: nasty}, **more)),
    )

    for path in paths():
        page = admin.get(path).content.decode()
        assert "<script>alert(1)" not in page
        assert 'href="javascript:' not in page


def test_a_key_is_shown_once(admin: Client) -> None:
    made = admin.post("/settings/sources/create/", {"name": "am", "kind": "alertmanager"})
    source = Source.objects.get()

    page = made.content.decode()
    later = admin.get("/settings/sources/").content.decode()

    assert made.status_code == 201
    assert "/hooks/alertmanager/" in page
    assert "/hooks/alertmanager/" not in later
    assert source.key_ends_with in later


def test_a_name_that_is_taken_is_refused_beside_its_field(admin: Client) -> None:
    SourceFactory.create(name="am")

    answer = admin.post("/settings/sources/create/", {"name": "am", "kind": "alertmanager"})

    assert answer.status_code == 400
    assert "already" in answer.content.decode()


def test_only_administrators_make_keys(client: Client) -> None:
    client.force_login(UserFactory.create())

    answer = client.post("/settings/sources/create/", {"name": "am", "kind": "alertmanager"})

    assert answer.status_code == 403
    assert not Source.objects.exists()


def test_failed_receipts_stand_first_and_are_played_again_by_a_button(admin: Client) -> None:
    source = SourceFactory.create()
    bad = take(source, b"rubbish")
    take(source, body(item()))

    page = admin.get("/receipts/").content.decode()
    admin.post(f"/receipts/{bad.id}/replay/")

    bad.refresh_from_db()
    assert page.index("pill-red") < page.index("pill-ok")
    assert bad.state == "pending"


def test_the_list_costs_the_same_for_ten_rows_and_for_fifty(
    admin: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    take(SourceFactory.create(), body(*(item(f"A{n}", labels=ECC) for n in range(55))))
    admin.get("/alerts/")

    with django_assert_max_num_queries(20):
        page = admin.get("/alerts/").content.decode()

    assert page.count("<tr data-row") == 50
    assert 'rel="next"' in page


def test_the_last_hour_counts_episodes_instances_and_what_was_cut() -> None:
    source = SourceFactory.create()
    take(source, body(item("A"), item("B"), truncatedAlerts=116))
    take(source, body(item("A")))

    hour = last_hour(UserFactory.create(), at=AT)

    assert (hour.episodes, hour.received, hour.truncated) == (2, 3, 116)
    assert (len(hour.minutes), hour.minutes[-1][1]) == (60, 3)
