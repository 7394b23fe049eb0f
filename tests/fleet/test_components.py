from datetime import timedelta

import pytest

from core.errors import Invalid, NotFound
from core.models import Change
from fleet import queries
from fleet.models import Component
from fleet.operations import components
from fleet.states import IllegalMove, State
from tests.factories import NINE_OCLOCK, UserFactory
from tests.factories import fleet as factories

pytestmark = pytest.mark.django_db
LATER = NINE_OCLOCK + timedelta(minutes=5)


def test_a_move_changes_the_state_and_says_who_and_why() -> None:
    factories.node()
    lead = UserFactory.create(lead=True)

    components.set_state(
        path="ulanqab/sn05/sn05-n17/3", state="isolated", reason="80E01801", by=lead, at=LATER
    )

    card = Component.objects.get(path="ulanqab/sn05/sn05-n17/3")
    assert (card.state, card.state_since) == (State.ISOLATED, LATER)
    change = Change.objects.get(target=f"component:{card.path}")
    assert (change.actor, change.reason) == (lead, "80E01801")
    assert change.before["state"] == "in_service"
    assert change.after["state"] == "isolated"


def test_an_illegal_move_is_refused_and_changes_nothing() -> None:
    node = factories.node()
    Component.objects.filter(pk=node.pk).update(state=State.REPAIR)

    with pytest.raises(IllegalMove):
        components.set_state(path=node.path, state="in_service", reason="x", by=None, at=LATER)

    node.refresh_from_db()
    assert node.state == State.REPAIR
    assert not Change.objects.exists()


def test_a_move_without_a_reason_is_refused() -> None:
    node = factories.node()

    with pytest.raises(Invalid):
        components.set_state(path=node.path, state="isolated", reason="  ", by=None, at=LATER)

    assert not Change.objects.exists()


def test_an_unknown_component_is_refused() -> None:
    with pytest.raises(NotFound):
        components.set_state(path="nowhere", state="isolated", reason="x", by=None, at=LATER)


def test_the_cards_in_a_node_move_with_it_but_not_one_that_is_elsewhere() -> None:
    node = factories.node()
    Component.objects.filter(path=f"{node.path}/0").update(state=State.REPAIR)

    components.set_state(path=node.path, state="isolated", reason="hang", by=None, at=LATER)

    states = dict(Component.objects.filter(parent=node).values_list("index", "state"))
    assert states.pop(0) == State.REPAIR
    assert set(states.values()) == {State.ISOLATED}


def test_an_unknown_name_becomes_an_unregistered_component_below_what_is_known() -> None:
    parent = factories.supernode()

    made = components.register_unknown(
        path="ulanqab/sn05/sn05-n99", kind="node", region="", at=LATER
    )

    assert not made.registered
    assert (made.parent, made.region, made.supernode) == (parent, "ulanqab", "sn05")
    assert made.node == "sn05-n99"


def test_an_unknown_name_told_twice_is_one_component() -> None:
    for at in (NINE_OCLOCK, LATER):
        components.register_unknown(path="gpu-0713", kind="node", region="east", at=at)

    one = Component.objects.get(path="gpu-0713")
    assert one.seen_at == LATER


@pytest.mark.parametrize("kind", ["supernode", "node", "card"])
def test_an_unknown_name_of_any_length_is_an_unregistered_component(kind: str) -> None:
    made = components.register_unknown(path="n" * 400, kind=kind, region="r" * 400, at=LATER)

    assert not made.registered
    assert (len(made.path), len(made.name), len(made.region)) == (180, 120, 64)


def test_the_fleet_version_grows_with_a_move_and_not_with_a_second_sighting() -> None:
    node = factories.node()
    before = queries.fleet_version()

    components.set_state(path=node.path, state="suspect", reason="slow", by=None, at=LATER)
    moved = queries.fleet_version()
    components.register_unknown(path=node.path, kind="node", region="", at=LATER)

    assert moved > before
    assert queries.fleet_version() == moved
