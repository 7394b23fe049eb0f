import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from fleet.models import Component
from fleet.operations import components, reference
from fleet.states import State
from tests.factories import NINE_OCLOCK, UserFactory
from tests.factories import fleet as factories

pytestmark = pytest.mark.django_db
CARD = "ulanqab/sn05/sn05-n17/3"


@pytest.fixture
def lead(client: Client) -> Client:
    client.force_login(UserFactory.create(lead=True))
    return client


@pytest.mark.parametrize(
    "page",
    [
        "/fleet/",
        "/fleet/panel/",
        "/fleet/unregistered/",
        "/fleet/jobs/",
        "/fleet/jobs/pt-one/",
        "/fleet/components/ulanqab/",
        "/fleet/components/ulanqab/sn05/",
        "/fleet/components/ulanqab/sn05/sn05-n17/",
        f"/fleet/components/{CARD}/",
        "/fleet/failure-classes/",
        "/fleet/fault-codes/?q=ECC",
        "/fleet/indicators/?layer=network",
    ],
)
@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_every_page_opens_in_both_languages(page: str, language: str, client: Client) -> None:
    client.force_login(UserFactory.create(lead=True, language=language))
    reference.load(at=NINE_OCLOCK)
    node = factories.node()
    factories.PlacementFactory.create(
        job=factories.JobFactory.create(job_id="pt-one"), component=node.parent
    )

    assert client.get(page).status_code == 200


def test_pages_ask_for_a_login(client: Client) -> None:
    assert client.get("/fleet/").status_code == 302


def test_the_map_says_the_state_in_words(lead: Client) -> None:
    node = factories.node()
    components.set_state(path=CARD, state="isolated", reason="ECC", by=None, at=NINE_OCLOCK)

    page = lead.get("/fleet/").content.decode()

    assert "7 / 8" in page
    assert "degraded" in page
    assert node.supernode in page


def test_a_card_shows_its_history_and_what_happened_to_its_node(lead: Client) -> None:
    node = factories.node()
    components.set_state(
        path=node.path, state="suspect", reason="slow node", by=None, at=NINE_OCLOCK
    )
    components.set_state(path=CARD, state="isolated", reason="80E01801", by=None, at=NINE_OCLOCK)

    page = lead.get(f"/fleet/components/{CARD}/").content.decode()

    assert "slow node" in page
    assert "80E01801" in page
    assert f"/alerts/?component={CARD.replace('/', '%2F')}" in page


def test_a_lead_moves_a_component_from_its_page(lead: Client) -> None:
    factories.node()

    answer = lead.post(
        f"/fleet/components/{CARD}/actions/", {"action": "isolate", "reason": "80E01801"}
    )

    assert answer.status_code == 200
    assert Component.objects.get(path=CARD).state == State.ISOLATED


def test_a_refused_move_says_why_on_the_page(lead: Client) -> None:
    factories.node()

    answer = lead.post(f"/fleet/components/{CARD}/actions/", {"action": "return", "reason": "x"})

    assert answer.status_code == 409
    assert "not possible" in answer.content.decode()
    assert Component.objects.get(path=CARD).state == State.IN_SERVICE


def test_an_engineer_may_not_move_a_component(client: Client) -> None:
    factories.node()
    client.force_login(UserFactory.create())

    answer = client.post(f"/fleet/components/{CARD}/actions/", {"action": "isolate", "reason": "x"})

    assert answer.status_code == 403
    assert Component.objects.get(path=CARD).state == State.IN_SERVICE


def test_a_person_of_another_region_sees_no_trace(client: Client) -> None:
    factories.node()
    client.force_login(UserFactory.create(lead=True, regions=["shanghai"]))

    assert "sn05" not in client.get("/fleet/").content.decode()
    assert client.get(f"/fleet/components/{CARD}/").status_code == 404
    answer = client.post(f"/fleet/components/{CARD}/actions/", {"action": "isolate", "reason": "x"})
    assert answer.status_code == 404
    assert Component.objects.get(path=CARD).state == State.IN_SERVICE


@pytest.mark.parametrize("nodes", [1, 5])
def test_a_supernode_page_takes_as_many_queries_with_many_nodes(
    nodes: int, lead: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(1, nodes + 1):
        factories.node(f"sn05-n{number:02d}")

    with django_assert_max_num_queries(20):
        assert lead.get("/fleet/components/ulanqab/sn05/").status_code == 200


def test_proposals_are_marked_on_the_page(lead: Client) -> None:
    reference.load(at=NINE_OCLOCK)

    assert "proposal" in lead.get("/fleet/indicators/?q=KI-001").content.decode()
