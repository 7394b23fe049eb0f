import json
from datetime import timedelta

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from alerts.models import Alert, AlertGroup, Receipt, Source
from alerts.operations import groups
from people.models import User
from tests.alerts.payloads import body, item, take
from tests.factories import NINE_OCLOCK, AudienceFactory, UserFactory
from tests.factories.alerts import SourceFactory

pytestmark = pytest.mark.django_db
AT = NINE_OCLOCK + timedelta(minutes=30)
FIELDS = [
    "id",
    "source",
    "fingerprint",
    "name",
    "severity",
    "state",
    "flapping",
    "role",
    "component",
    "job_id",
    "failure_class",
    "event_class",
    "fault_code",
    "starts_at",
    "ends_at",
    "last_seen_at",
    "received_count",
    "episode",
    "group",
    "incident",
    "is_drill",
    "labels",
    "annotations",
]
ECC = {
    "node": "sn05-n17",
    "npu": "3",
    "fault_code": "80E01801",
    "job_id": "pt-1",
    "region": "ulanqab",
}


def signed_in(client: Client, user: User | None = None) -> Client:
    client.force_login(user or UserFactory.create(admin=True))
    return client


def names(client: Client, query: str = "") -> list[str]:
    answer = client.get(f"/api/v1/alerts{query}")
    assert answer.status_code == 200, answer.content
    return [row["name"] for row in answer.json()["results"]]


def test_an_alert_has_the_fields_of_the_contract(client: Client) -> None:
    take(SourceFactory.create(name="am"), body(item("NPUErrorCodeWarning", labels=ECC)))

    (row,) = signed_in(client).get("/api/v1/alerts").json()["results"]

    assert set(FIELDS) <= set(row)
    assert (row["source"], row["state"], row["fault_code"]) == ("am", "firing", "80E01801")
    assert row["component"]["kind"] == "card"


def test_lists_begin_with_the_newest_start(client: Client) -> None:
    later = NINE_OCLOCK + timedelta(minutes=5)
    take(SourceFactory.create(), body(item("Old"), item("New", start=later)), at=AT)

    assert names(signed_in(client)) == ["New", "Old"]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("?search=sn05", ["Ecc"]),
        ("?search=80e01801 sn05-n17", ["Ecc"]),
        ("?search=sn05-n1", ["Ecc"]),
        ("?search=掉卡", ["卡掉卡告警"]),
        ("?search=nothing-like-it", []),
        ("?search='; drop table alerts; --", []),
        ("?state=resolved", ["Gone"]),
        ("?job=pt-1", ["Ecc"]),
        ("?source=am", ["Gone", "卡掉卡告警", "Ecc"]),
        ("?source=nobody", []),
        ("?is_drill=true", []),
        ("?until=2026-03-02T09:00:30Z", ["Ecc"]),
        ("?since=2026-03-02T09:02:00Z", ["Gone"]),
    ],
)
def test_filters_narrow_the_list(client: Client, query: str, found: list[str]) -> None:
    minute = timedelta(minutes=1)
    gone = item("Gone", start=NINE_OCLOCK + 2 * minute, end=NINE_OCLOCK + 3 * minute)
    told = body(item("Ecc", labels=ECC), item("卡掉卡告警", start=NINE_OCLOCK + minute), gone)
    take(SourceFactory.create(name="am"), told, at=AT)

    assert names(signed_in(client), query) == found


@pytest.mark.parametrize("query", ["?state=exploded", "?since=yesterday", "?incident=x"])
def test_a_filter_that_cannot_be_read_is_400(client: Client, query: str) -> None:
    answer = signed_in(client).get(f"/api/v1/alerts{query}")

    assert answer.status_code == 400
    assert answer.json()["errors"]


def test_with_an_incident_the_episode_of_that_one_is_shown(client: Client) -> None:
    source = SourceFactory.create()
    ended, again = NINE_OCLOCK + timedelta(minutes=2), NINE_OCLOCK + timedelta(hours=2)
    take(source, body(item("NPUErrorCodeWarning", labels=ECC)))
    first = AlertGroup.objects.get()
    groups.attach_incident(group_id=first.pk, number=7, open=True, at=AT)
    groups.close(group_id=first.pk, at=AT)
    take(source, body(item("NPUErrorCodeWarning", labels=ECC, end=ended)), at=AT)
    take(source, body(item("NPUErrorCodeWarning", labels=ECC, start=again)), at=again)

    client = signed_in(client)
    (latest,) = client.get("/api/v1/alerts").json()["results"]
    (shown,) = client.get("/api/v1/alerts?incident=7").json()["results"]

    assert (latest["episode"], latest["state"], latest["incident"]) == (2, "firing", None)
    assert (shown["episode"], shown["state"], shown["incident"]) == (1, "resolved", 7)


def test_lists_cost_the_same_queries_for_ten_rows_and_for_many(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    take(SourceFactory.create(), body(*(item(f"A{n}") for n in range(60))), at=AT)
    client = signed_in(client)
    client.get("/api/v1/alerts")

    for size in (10, 60):
        with django_assert_max_num_queries(6):
            client.get(f"/api/v1/alerts?page_size={size}")
        with django_assert_max_num_queries(6):
            client.get(f"/api/v1/receipts?page_size={size}")


def test_an_export_never_starts_a_formula(client: Client) -> None:
    take(SourceFactory.create(), body(item("=HYPERLINK(1)")), at=AT)

    answer = signed_in(client).get("/api/v1/alerts/export.csv")

    text = b"".join(answer.streaming_content).decode()  # type: ignore[attr-defined]
    assert "'=HYPERLINK(1)" in text


def test_who_may_not_see_an_alert_sees_no_trace_of_it(client: Client) -> None:
    circle = AudienceFactory.create()
    take(SourceFactory.create(audience=circle), body(item("Secret", labels=ECC)), at=AT)
    take(SourceFactory.create(region="shanghai"), body(item("Elsewhere", fingerprint="x")), at=AT)
    outsider = signed_in(client, UserFactory.create(regions=["ulanqab"]))

    pks = list(Alert.objects.values_list("pk", flat=True))
    receipt = Receipt.objects.all()[0]

    assert names(outsider) == []
    assert {outsider.get(f"/api/v1/alerts/{pk}").status_code for pk in pks} == {404}
    assert {outsider.get(f"/alerts/{pk}/").status_code for pk in pks} == {404}
    assert outsider.get("/api/v1/receipts").json()["results"] == []
    assert outsider.get(f"/receipts/{receipt.id}/").status_code == 404
    assert outsider.get("/api/v1/sources").json()["results"] == []
    assert outsider.get("/api/v1/alert-groups").json()["results"] == []


def test_a_source_is_made_edited_and_given_a_new_key(client: Client) -> None:
    client = signed_in(client)

    made = client.post(
        "/api/v1/sources", {"kind": "alertmanager", "name": "am"}, "application/json"
    )
    pk, key = made.json()["id"], made.json()["key"]
    path = f"/api/v1/sources/{pk}"
    etag = client.get(path)["ETag"]
    change = json.dumps({"name": "am-2"})
    blind = client.patch(path, change, "application/json")
    stale = client.patch(path, change, "application/json", headers={"If-Match": '"99"'})
    done = client.patch(path, change, "application/json", headers={"If-Match": etag})
    again = client.post(f"{path}/actions", {"action": "new_key"}, "application/json")

    assert made.status_code == 201
    assert [r.status_code for r in (blind, stale, done, again)] == [428, 412, 200, 200]
    assert again.json()["key"] != key
    assert key not in client.get(path).content.decode()
    assert Source.objects.get().name == "am-2"


def test_only_an_administrator_makes_sources(client: Client) -> None:
    client = signed_in(client, UserFactory.create())

    answer = client.post("/api/v1/sources", {"kind": "json", "name": "x"}, "application/json")

    assert answer.status_code == 403
    assert not Source.objects.exists()


def test_a_failed_receipt_is_played_again(client: Client) -> None:
    receipt = take(SourceFactory.create(), b"rubbish")
    client = signed_in(client)

    answer = client.post(
        f"/api/v1/receipts/{receipt.id}/actions", {"action": "replay"}, "application/json"
    )

    assert (answer.status_code, answer.json()["state"]) == (200, "pending")
