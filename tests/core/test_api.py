"""What every resource of the API has from its base, tried on the change log and the incidents."""

import csv
import io
from typing import Any

import pytest
from rest_framework.test import APIClient

from core.models import IdempotencyKey
from core.operations import changes
from fleet.operations import reference
from people.operations import tokens
from tests.factories import NINE_OCLOCK, UserFactory
from warroom.models import Incident

pytestmark = pytest.mark.django_db
DECLARE = {"title": "Loss spike on three jobs"}


def signed_in(role: str) -> APIClient:
    client = APIClient()
    client.force_authenticate(UserFactory.create(role=role))
    return client


def test_whoever_is_not_signed_in_gets_401_as_problem_details() -> None:
    answer = APIClient().get("/api/v1/audit")

    assert answer.status_code == 401
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["status"] == 401


def test_a_missing_scope_is_named() -> None:
    answer = signed_in("engineer").get("/api/v1/audit")

    assert answer.status_code == 403
    assert "manage" in answer.json()["detail"]


def test_an_unknown_value_of_a_filter_gets_400_with_the_field() -> None:
    answer = signed_in("engineer").get("/api/v1/incidents?tier=banana")

    assert answer.status_code == 400
    assert answer.json()["errors"][0]["field"] == "tier"


@pytest.mark.parametrize(
    ("query", "words"),
    [("state=burning", "responding"), ("is_drill=perhaps", "true, false"), ("mine=x", "true")],
)
def test_an_unknown_word_of_a_filter_gets_400_with_those_there_are(query: str, words: str) -> None:
    answer = signed_in("engineer").get(f"/api/v1/incidents?{query}")

    assert answer.status_code == 400
    assert words in answer.json()["detail"]


@pytest.mark.parametrize("query", ["state=open&state=closed", "is_drill=TRUE", "mine=", "open=0"])
def test_the_words_that_there_are_pass(query: str) -> None:
    assert signed_in("engineer").get(f"/api/v1/incidents?{query}").status_code == 200


@pytest.mark.parametrize("cursor", ["cD0y", "cD1ub3doZXJl", "zzz"])
def test_a_cursor_that_is_none_of_this_list_is_not_found(cursor: str) -> None:
    answer = signed_in("engineer").get(f"/api/v1/incidents?cursor={cursor}")

    assert answer.status_code == 404


def test_json_that_nests_too_deeply_gets_400() -> None:
    body = '{"title":' + "[" * 100_000 + "]" * 100_000 + "}"

    answer = signed_in("engineer").post("/api/v1/incidents", body, content_type="application/json")

    assert answer.status_code == 400


def test_an_export_never_starts_a_formula() -> None:
    changes.record(actor=None, verb="=cmd|'/c calc'!A1", target="+1", at=NINE_OCLOCK, reason="-1")

    answer = signed_in("lead").get("/api/v1/audit/export.csv")

    text = b"".join(answer.streaming_content).decode("utf-8-sig")  # type: ignore[attr-defined]
    row = next(csv.DictReader(io.StringIO(text)))
    assert row["verb"].startswith("'=")
    assert row["target"].startswith("'+")


@pytest.fixture
def writer(site_people: None) -> APIClient:
    return signed_in("commander")


@pytest.fixture
def site_people(db: None) -> None:
    from people.operations import demo

    demo.load(NINE_OCLOCK)


def post(client: APIClient, body: dict[str, Any], key: str) -> Any:
    return client.post("/api/v1/incidents", body, format="json", headers={"Idempotency-Key": key})


def test_the_same_key_and_body_declare_one_incident_and_give_the_same_answer(
    writer: APIClient,
) -> None:
    first, second = post(writer, DECLARE, "k1"), post(writer, DECLARE, "k1")

    assert first.status_code == 201
    assert second.status_code == 201
    assert first.json()["number"] == second.json()["number"]
    assert second["Idempotent-Replayed"] == "true"
    assert Incident.objects.count() == 1


def test_the_same_key_with_another_body_is_refused(writer: APIClient) -> None:
    post(writer, DECLARE, "k1")

    answer = post(writer, {"title": "Another"}, "k1")

    assert answer.status_code == 409
    assert Incident.objects.count() == 1


def test_a_key_that_is_still_being_answered_is_refused(writer: APIClient) -> None:
    post(writer, DECLARE, "k1")
    IdempotencyKey.objects.update(status=None, answer=None)

    assert post(writer, DECLARE, "k1").status_code == 409


@pytest.mark.parametrize(("query", "valid"), [("failure_class=zzz", "TLF"), ("tier=99", "1, 2, 3")])
def test_an_unknown_class_or_tier_is_refused_with_those_there_are(query: str, valid: str) -> None:
    reference.load(at=NINE_OCLOCK)

    answer = signed_in("engineer").get(f"/api/v1/incidents?{query}")

    assert answer.status_code == 400
    assert valid in answer.json()["detail"]


def test_a_token_never_allows_more_than_the_role_of_its_owner() -> None:
    engineer = UserFactory.create(role="engineer")
    _token, secret = tokens.create(
        user_id=engineer.pk, name="old", scopes=["all"], by=None, at=NINE_OCLOCK
    )

    answer = APIClient().get("/api/v1/audit", headers={"Authorization": f"Bearer {secret}"})

    assert answer.status_code == 403
