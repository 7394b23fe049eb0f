from typing import Any

import pytest
from rest_framework.test import APIClient

from people.models import User
from tests.factories import NINE_OCLOCK, AudienceFactory, UserFactory
from tests.warroom.conftest import opened
from warroom.models import Incident

pytestmark = pytest.mark.django_db
CONTRACT = {
    "number",
    "title",
    "state",
    "tier",
    "failure_class",
    "event_class",
    "suspected_root",
    "affected",
    "alert_count",
    "received_count",
    "truncated_count",
    "domains_called",
    "first_responder",
    "commander",
    "clocks",
    "opened_at",
    "acknowledged_at",
    "assembled_at",
    "located_at",
    "restored_at",
    "closed_at",
    "is_drill",
    "allowed_actions",
    "owner",
    "recovery_owner",
    "impact",
    "region",
    "audience",
    "layer",
}


@pytest.fixture
def client(sre: User) -> APIClient:
    return signed_in(sre)


def signed_in(user: User) -> APIClient:
    client = APIClient()
    client.force_authenticate(user)
    return client


def act(client: APIClient, number: int, **body: Any) -> Any:
    return client.post(f"/api/v1/incidents/{number}/actions", body, format="json")


def test_an_incident_has_the_fields_of_the_contract(client: APIClient) -> None:
    incident = opened()

    answer = client.get(f"/api/v1/incidents/{incident.number}").json()

    assert set(answer) >= CONTRACT
    assert set(answer["suspected_root"]) >= {
        "level",
        "path",
        "paths",
        "cause",
        "confidence",
        "evidence_for",
        "evidence_against",
    }
    assert [set(c) >= {"kind", "state", "due_at", "met_at"} for c in answer["clocks"]] == [True] * 2
    assert {"join", "acknowledge", "false_alarm"} <= set(answer["allowed_actions"])
    assert answer["number"] == incident.number


def test_the_list_is_filtered_and_answers_with_a_cursor_page(client: APIClient) -> None:
    incident = opened()

    found = client.get("/api/v1/incidents", {"job": "pt-moe-700b-0318", "state": "open"}).json()

    assert set(found) == {"next", "previous", "results"}
    assert [row["number"] for row in found["results"]] == [incident.number]
    assert client.get("/api/v1/incidents", {"state": "nonsense"}).status_code == 400


def test_joining_through_the_api_answers_with_the_incident(client: APIClient) -> None:
    incident = opened()

    answer = act(client, incident.number, action="join")

    assert answer.status_code == 200
    assert answer.json()["state"] == "responding"
    assert "join" not in answer.json()["allowed_actions"]


def test_refusals_are_problems_with_a_sentence(client: APIClient) -> None:
    incident = opened()

    late = act(client, incident.number, action="stand_down")
    wrong = act(client, incident.number, action="raise_tier", tier=3, reason="x")
    unknown = act(client, incident.number, action="decide", text="x")
    viewer = act(signed_in(UserFactory.create(viewer=True)), incident.number, action="join")

    assert (late.status_code, wrong.status_code, unknown.status_code) == (409, 400, 400)
    assert viewer.status_code == 403
    assert wrong.json()["errors"][0]["field"] == "tier"


def test_the_gates_are_named_field_by_field(client: APIClient) -> None:
    incident = opened()
    act(client, incident.number, action="mark_restored", reason="Runs again")

    answer = act(client, incident.number, action="stand_down")

    assert (answer.status_code, answer.json()["code"]) == (409, "gates_missing")
    fields = {e["field"] for e in answer.json()["errors"]}
    assert {"impact", "occurred_at", "jobs.pt-moe-700b-0318.lost_steps"} <= fields


def test_declaring_opens_a_room(client: APIClient, sre: User) -> None:
    body = {"title": "Loss is NaN", "failure_class": "PSD", "tier": 2, "is_drill": True}

    answer = client.post("/api/v1/incidents", body, format="json")

    assert answer.status_code == 201
    declared = answer.json()
    assert (declared["title"], declared["tier"], declared["is_drill"]) == ("Loss is NaN", 2, True)
    assert declared["first_responder"]["username"] == sre.username
    assert "TAM" not in declared["domains_called"]


def test_a_declaration_without_words_is_refused(client: APIClient) -> None:
    answer = client.post("/api/v1/incidents", {"title": ""}, format="json")

    assert answer.status_code == 400
    assert not Incident.objects.exists()


def test_rooms_participants_clocks_and_timeline_are_read(client: APIClient) -> None:
    incident = opened()
    number: dict[str, Any] = {"incident": incident.number}

    room = client.get(f"/api/v1/rooms/{incident.number}").json()
    people = client.get("/api/v1/participants", number).json()["results"]
    clocks = client.get("/api/v1/clocks", {**number, "kind": "restore"}).json()["results"]
    lines = client.get("/api/v1/timeline", number).json()["results"]

    assert room["state"] == "convening"
    assert {p["user"]["username"] for p in people} == {
        p.user.username for p in incident.participants.all()
    }
    assert [c["kind"] for c in clocks] == ["restore"]
    assert lines[0]["kind"] == "opened"


def test_who_may_not_see_an_incident_finds_it_nowhere(site: None) -> None:
    incident = opened(audience=AudienceFactory.create())
    client = signed_in(UserFactory.create())

    assert client.get(f"/api/v1/incidents/{incident.number}").status_code == 404
    assert act(client, incident.number, action="join").status_code == 404
    assert client.get("/api/v1/timeline", {"incident": incident.number}).status_code == 404
    for resource in ("incidents", "rooms", "participants", "clocks"):
        assert client.get(f"/api/v1/{resource}").json()["results"] == []


@pytest.mark.parametrize("count", [1, 10])
def test_the_list_takes_the_same_queries_for_one_and_for_many(
    client: APIClient, count: int, django_assert_max_num_queries: Any
) -> None:
    for _ in range(count):
        opened()

    with django_assert_max_num_queries(6):
        found = client.get("/api/v1/incidents").json()["results"]

    assert len(found) == count


def test_the_export_is_a_file_of_the_filtered_list(client: APIClient) -> None:
    opened(at=NINE_OCLOCK)

    answer = client.get("/api/v1/incidents/export.csv", {"tier": 3})

    text = b"".join(answer.streaming_content).decode()  # type: ignore[attr-defined]
    assert "number,title,state" in text
    assert "card sn05-n17/3" in text
