import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from people.models import User
from people.operations import tokens
from tests.factories import AudienceFactory, ChannelFactory, DeliveryFactory, UserFactory

pytestmark = pytest.mark.django_db


def api(user: User) -> APIClient:
    _token, secret = tokens.create(
        user_id=user.pk, name="test", scopes=["read"], by=None, at=timezone.now()
    )
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    return client


def test_deliveries_are_listed_with_their_attempts_and_filters() -> None:
    told = DeliveryFactory.create()
    DeliveryFactory.create(incident_number=13)

    found = api(UserFactory.create()).get("/api/v1/deliveries", {"incident": 12}).json()

    [row] = found["results"]
    assert (row["id"], row["state"], row["attempts"]) == (told.pk, "queued", [])
    assert row["step_key"] == told.step_key


def test_what_belongs_to_no_incident_is_ones_own() -> None:
    DeliveryFactory.create(incident_number=None)
    mine = DeliveryFactory.create(incident_number=None)

    rows = api(mine.person).get("/api/v1/deliveries").json()["results"]

    assert [row["id"] for row in rows] == [mine.pk]


def test_a_closed_circle_leaves_no_trace_in_lists_and_exports() -> None:
    hidden = DeliveryFactory.create(audience=AudienceFactory.create())
    client = api(UserFactory.create(admin=True))

    assert client.get("/api/v1/deliveries").json()["results"] == []
    assert client.get(f"/api/v1/deliveries/{hidden.pk}").status_code == 404
    export = client.get("/api/v1/deliveries/export.csv")
    assert hidden.step_key not in b"".join(export.streaming_content).decode()  # type: ignore[attr-defined]


def test_an_unknown_state_is_refused_with_the_field() -> None:
    answer = api(UserFactory.create()).get("/api/v1/deliveries", {"state": "lost"})

    assert answer.status_code == 400
    assert answer.json()["errors"][0]["field"] == "state"


def test_a_message_is_read_through_the_api() -> None:
    message = DeliveryFactory.create(inbox=True)

    answer = api(message.person).post(
        f"/api/v1/deliveries/{message.pk}/actions", {"action": "read"}
    )

    assert answer.status_code == 200
    assert answer.json()["read_at"]
    assert answer.json()["allowed_actions"] == []


def test_channels_are_ones_own() -> None:
    channel = ChannelFactory.create()
    path = f"/api/v1/channels/{channel.pk}"

    assert api(UserFactory.create()).get(path).status_code == 404
    client = api(channel.person)
    off = client.post(f"{path}/actions", {"action": "switch_off"})
    made = client.post("/api/v1/channels", {"address": "second@example.com"})

    assert off.json()["enabled"] is False
    assert made.status_code == 201
    assert client.post(f"{path}/actions", {"action": "test"}).status_code == 200
    assert client.delete(path).status_code == 204
