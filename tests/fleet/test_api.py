from urllib.parse import quote

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from fleet.models import Component
from fleet.operations import jobs, reference
from fleet.states import State
from tests.factories import NINE_OCLOCK, UserFactory
from tests.factories import fleet as factories

pytestmark = pytest.mark.django_db
CARD = "ulanqab/sn05/sn05-n17/3"
API = "/api/v1/components"


@pytest.fixture
def lead(client: Client) -> Client:
    client.force_login(UserFactory.create(lead=True))
    return client


def paths(client: Client, query: str) -> list[str]:
    return [row["path"] for row in client.get(f"{API}?{query}").json()["results"]]


def test_a_component_is_read_by_its_path(lead: Client) -> None:
    factories.node()

    card = lead.get(f"{API}/{CARD}").json()

    assert (card["path"], card["kind"], card["devices"]) == (CARD, "card", [6, 7])
    assert card["parent"] == "ulanqab/sn05/sn05-n17"
    assert "isolate" in card["allowed_actions"]


def test_components_are_filtered_by_kind_place_state_and_words(lead: Client) -> None:
    factories.node()
    Component.objects.filter(path=CARD).update(state=State.REPAIR)

    assert paths(lead, "kind=node") == ["ulanqab/sn05/sn05-n17"]
    assert paths(lead, "state=repair") == [CARD]
    assert paths(lead, "node=sn05-n17&kind=card&search=/3") == [CARD]
    assert len(paths(lead, f"under={quote('ulanqab/sn05')}")) == 10
    assert lead.get(f"{API}?kind=nonsense").status_code == 400


def test_a_lead_moves_a_component_through_the_api(lead: Client) -> None:
    factories.node()

    answer = lead.post(
        f"{API}/{CARD}/actions", {"action": "isolate", "reason": "ECC"}, "application/json"
    )

    assert answer.status_code == 200, answer.content
    assert answer.json()["state"] == "isolated"


def test_an_illegal_move_is_a_conflict_with_a_sentence(lead: Client) -> None:
    factories.node()

    answer = lead.post(
        f"{API}/{CARD}/actions", {"action": "return", "reason": "x"}, "application/json"
    )

    assert answer.status_code == 409
    assert "not possible" in answer.json()["detail"]
    assert Component.objects.get(path=CARD).state == State.IN_SERVICE


def test_a_move_needs_the_scope_manage(client: Client) -> None:
    factories.node()
    client.force_login(UserFactory.create())

    answer = client.post(
        f"{API}/{CARD}/actions", {"action": "isolate", "reason": "x"}, "application/json"
    )

    assert answer.status_code == 403
    assert "manage" in answer.json()["detail"]


def test_a_person_of_another_region_gets_nothing(client: Client) -> None:
    factories.node()
    factories.JobFactory.create(job_id="pt-one")
    client.force_login(UserFactory.create(lead=True, regions=["shanghai"]))

    assert paths(client, "kind=card") == []
    assert client.get(f"{API}/{CARD}").status_code == 404
    assert client.get("/api/v1/jobs/pt-one").status_code == 404


@pytest.mark.parametrize("count", [2, 20])
def test_a_list_of_jobs_takes_as_many_queries_for_many(
    count: int, lead: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(count):
        factories.PlacementFactory.create()

    with django_assert_max_num_queries(9):
        rows = lead.get("/api/v1/jobs").json()["results"]

    assert len(rows) == count
    assert rows[0]["placements"] == [{"path": "ulanqab/sn05", "first_rank": 0}]


def test_the_reference_tables_are_read_and_searched(lead: Client) -> None:
    reference.load(at=NINE_OCLOCK)

    classes = lead.get("/api/v1/failure-classes").json()["results"]
    codes = lead.get("/api/v1/fault-codes?search=80E01801").json()["results"]
    indicators = lead.get("/api/v1/indicators?layer=operations").json()["results"]
    assert [one["code"] for one in classes] == ["TLF", "PSD", "NHG", "NCR", "NIN", "DRV"]
    assert codes[0]["event_class"] == "E3"
    assert len(indicators) == 11
    csv = b"".join(lead.get("/api/v1/fault-codes/export.csv").streaming_content)  # type: ignore[attr-defined]
    assert csv.count(b"\r\n") == 221


def test_the_checkpoints_of_a_job_are_listed_with_what_makes_them_usable(lead: Client) -> None:
    job = factories.JobFactory.create(job_id="pt-one")
    for step, verified_at in ((100, NINE_OCLOCK), (200, None)):
        jobs.record_checkpoint(
            job_id=job.job_id, step=step, at=NINE_OCLOCK, verified_at=verified_at
        )

    rows = lead.get("/api/v1/checkpoints?job=pt-one").json()["results"]

    assert [(row["step"], row["usable"]) for row in rows] == [(200, False), (100, True)]


def test_a_node_says_which_versions_it_runs(lead: Client) -> None:
    node = factories.node()
    node.versions.create(package="HDK", version="24.1", seen_at=NINE_OCLOCK)

    assert lead.get(f"{API}/{node.path}").json()["versions"] == {"HDK": "24.1"}
