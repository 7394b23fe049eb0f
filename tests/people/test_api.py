from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from people.models import ApiToken, Override, Responsibility, User
from people.operations import responsibilities, tokens
from tests.factories import NINE_OCLOCK, RosterFactory, ShiftFactory, TeamFactory, UserFactory

pytestmark = pytest.mark.django_db


def api(user: User, *scopes: str) -> APIClient:
    _token, secret = tokens.create(
        user_id=user.pk, name="test", scopes=scopes or ["all"], by=None, at=timezone.now()
    )
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    return client


@pytest.mark.parametrize("resource", ["users", "teams", "rosters", "responsibilities", "tokens"])
def test_lists_need_a_token_with_the_scope_read(resource: str) -> None:
    path = f"/api/v1/{resource}"

    assert APIClient().get(path).status_code == 401
    bad = APIClient()
    bad.credentials(HTTP_AUTHORIZATION="Bearer wr_nonsense")
    assert bad.get(path).status_code == 401
    refused = api(UserFactory.create(), "respond").get(path)
    assert refused.status_code == 403
    assert "read" in refused.json()["detail"]
    assert set(api(UserFactory.create(), "read").get(path).json()) == {
        "next",
        "previous",
        "results",
    }


def test_who_is_on_duty_is_answered_with_offsets() -> None:
    shift = ShiftFactory.create()
    client = api(UserFactory.create(), "read")

    found = client.get("/api/v1/teams/HW/on-duty", {"at": "2026-03-02T09:00:00Z"}).json()
    every = client.get("/api/v1/teams/on-duty").json()

    assert found["primary"]["id"] == shift.primary_id
    assert found["until"].startswith("2026-03-09T")
    assert found["gap"] == ""
    assert len(every) == 12


def test_a_roster_is_written_with_if_match_only() -> None:
    roster, lead = ShiftFactory.create().roster, UserFactory.create(lead=True)
    client, path = api(lead, "read", "manage"), f"/api/v1/rosters/{roster.pk}"
    body = {
        "time_zone": "Europe/London",
        "anchor_date": "2026-03-02",
        "handover_at": "08:00",
        "shifts": [{"primary": lead.pk, "backup": None}],
    }
    tag = client.get(path)["ETag"]

    missing = client.put(path, body)
    done = client.put(path, body, headers={"If-Match": tag})
    stale = client.put(path, body, headers={"If-Match": tag})

    assert (missing.status_code, done.status_code, stale.status_code) == (428, 200, 412)
    assert done.json()["shifts"] == [{"primary": lead.pk, "backup": None}]
    assert stale.json()["current"]["version"] == 2


def test_a_roster_is_made_and_overridden() -> None:
    lead, stand_in = UserFactory.create(lead=True), UserFactory.create()
    TeamFactory.create(domain="NET")
    client = api(lead, "read", "manage")
    body = {
        "domain": "NET",
        "region": "ulanqab",
        "time_zone": "Asia/Shanghai",
        "anchor_date": "2026-03-02",
        "handover_at": "09:00",
        "shifts": [{"primary": lead.pk}],
    }

    made = client.post("/api/v1/rosters", body)
    override = {
        "action": "override",
        "user": stand_in.pk,
        "starts_at": "2026-03-02T09:00:00Z",
        "ends_at": "2026-03-02T10:00:00Z",
    }
    taken = client.post(f"/api/v1/rosters/{made.json()['id']}/actions", override)

    assert (made.status_code, taken.status_code) == (201, 200)
    assert Override.objects.get().user == stand_in
    answer = client.get(
        f"/api/v1/rosters/{made.json()['id']}/on-duty", {"at": "2026-03-02T09:30:00Z"}
    )
    assert answer.json()["primary"]["id"] == stand_in.pk


def test_a_cell_is_written_with_if_match_and_two_as_are_refused() -> None:
    responsibilities.load_shipped(at=NINE_OCLOCK)
    cell = Responsibility.objects.get(failure_class="NIN", domain="SRE")
    client, path = api(UserFactory.create(lead=True)), f"/api/v1/responsibilities/{cell.pk}"

    missing = client.patch(path, {"letter": "R"})
    refused = client.patch(path, {"letter": "R"}, headers={"If-Match": '"1"'})

    assert missing.status_code == 428
    assert refused.status_code == 409
    assert "exactly one A" in refused.json()["detail"]
    assert Responsibility.objects.filter(failure_class="NIN", letter="A").count() == 1


def test_a_token_makes_no_token_above_itself() -> None:
    admin = UserFactory.create(admin=True)
    client = api(admin, "read", "manage")

    refused = client.post("/api/v1/tokens", {"name": "x", "scopes": ["admin"]})
    made = client.post("/api/v1/tokens", {"name": "x", "scopes": ["read"]})

    assert refused.status_code == 403
    assert made.status_code == 201
    assert made.json()["token"].startswith("wr_")
    assert "token" not in client.get(f"/api/v1/tokens/{made.json()['id']}").json()


def test_tokens_of_others_are_not_there() -> None:
    other = ApiToken.objects.create(
        user=UserFactory.create(), name="o", digest="d", ends_with="x", created_at=NINE_OCLOCK
    )

    assert api(UserFactory.create(), "read").get(f"/api/v1/tokens/{other.pk}").status_code == 404
    assert api(UserFactory.create(admin=True)).get(f"/api/v1/tokens/{other.pk}").status_code == 200


def test_a_profile_is_patched_by_its_owner_in_named_fields() -> None:
    user, other = UserFactory.create_batch(2)
    client = api(user, "read")
    body: dict[str, Any] = {"phone": "+86 1", "role": "admin"}

    done = client.patch(f"/api/v1/users/{user.pk}", body)
    refused = client.patch(f"/api/v1/users/{other.pk}", body)

    user.refresh_from_db()
    assert (done.status_code, user.phone, user.role) == (200, "+86 1", "engineer")
    assert refused.status_code == 409
    assert client.get("/api/v1/users/me").json()["id"] == user.pk


def test_teams_are_appointed_by_leads() -> None:
    roster, manager = RosterFactory.create(), UserFactory.create()
    body = {"action": "appoint", "manager": manager.pk, "next_level": None}

    refused = api(UserFactory.create()).post("/api/v1/teams/HW/actions", body)
    done = api(UserFactory.create(lead=True)).post("/api/v1/teams/HW/actions", body)

    assert (refused.status_code, done.status_code) == (403, 200)
    roster.team.refresh_from_db()
    assert roster.team.manager == manager
