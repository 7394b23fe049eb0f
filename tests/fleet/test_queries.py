import pytest
from pytest_django import DjangoAssertNumQueries

from fleet import queries
from fleet.models import Component, Kind
from fleet.states import JobState, State
from tests.factories import fleet as factories

pytestmark = pytest.mark.django_db


def test_a_job_is_found_from_a_card_its_node_its_supernode_and_its_region() -> None:
    node = factories.node()
    placement = factories.PlacementFactory.create(component=node.parent)

    for path in (f"{node.path}/3", node.path, node.parent.path, "ulanqab"):
        assert queries.jobs_on([path]) == [placement.job], path


def test_a_job_is_not_found_from_the_supernode_beside_it() -> None:
    factories.PlacementFactory.create(component=factories.supernode("sn05"))
    other = factories.supernode("sn50")

    assert queries.jobs_on([other.path]) == []


def test_a_switch_stands_for_its_supernode_and_a_link_for_its_ends() -> None:
    node = factories.node()
    placement = factories.PlacementFactory.create(component=node.parent)
    switch = factories.ComponentFactory.create(
        path="ulanqab/switch:leaf-1", kind=Kind.SWITCH, supernode="sn05"
    )
    link = factories.ComponentFactory.create(
        path="ulanqab/link:a--b",
        kind=Kind.LINK,
        attributes={"ends": [f"{node.path}/3", switch.path]},
    )

    assert queries.jobs_on([switch.path]) == [placement.job]
    assert queries.jobs_on([link.path]) == [placement.job]


def test_a_service_and_what_is_in_it_hit_the_jobs_that_use_it() -> None:
    use = factories.ServiceUseFactory.create()
    part = factories.ComponentFactory.create(
        path=f"{use.component.path}/mds-02", kind=Kind.SERVICE, parent=use.component
    )

    assert queries.jobs_on([part.path]) == [use.job]


def test_a_job_that_waits_for_cards_is_on_nothing() -> None:
    placement = factories.PlacementFactory.create(
        job=factories.JobFactory.create(state=JobState.PENDING)
    )

    assert queries.jobs_on([placement.component.path]) == []


def test_the_cards_of_jobs_are_added_up() -> None:
    first, second = factories.JobFactory.create(cards=10), factories.JobFactory.create(cards=32)

    assert queries.job_cards([first.job_id, second.job_id, "unknown"]) == 42


def test_spare_nodes_are_counted_by_region() -> None:
    for name, region in (("sn05-n17", "ulanqab"), ("sn31-n01", "shanghai")):
        node = factories.node(name, region)
        Component.objects.under(node.path).update(state=State.SPARE)

    assert queries.spare_nodes("shanghai") == 1
    assert queries.spare_nodes() == 2


@pytest.mark.parametrize(
    ("states", "expected", "working"),
    [
        ({}, "ok", 8),
        ({0: State.SUSPECT}, "suspect", 8),
        ({0: State.REPAIR}, "degraded", 7),
        (dict.fromkeys(range(8), State.ISOLATED), "down", 0),
        (dict.fromkeys(range(8), State.SPARE), "spare", 0),
    ],
)
def test_a_square_says_the_worst_that_holds(
    states: dict[int, State], expected: str, working: int
) -> None:
    node = factories.node()
    for index, state in states.items():
        Component.objects.filter(parent=node, index=index).update(state=state)

    (square,) = queries.summary().supernodes

    assert (square.state, square.working, square.cards) == (expected, working, 8)


@pytest.mark.parametrize("nodes", [1, 4])
def test_the_summary_takes_one_query(
    nodes: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(1, nodes + 1):
        factories.node(f"sn{number:02d}-n01")

    with django_assert_num_queries(1):
        summary = queries.summary()

    assert summary.cards == nodes * 8


def test_drift_is_what_differs_from_the_baseline_of_the_region() -> None:
    node = factories.node()
    node.versions.create(package="HDK", version="24.1", seen_at=node.seen_at)
    node.versions.create(package="CANN", version="8.2", seen_at=node.seen_at)
    for package, version in (("HDK", "25.0"), ("CANN", "8.2")):
        factories.VersionBaselineFactory.create(package=package, version=version)

    (found,) = queries.drift()

    assert (found.node, found.package, found.expected, found.actual) == (
        "sn05-n17",
        "HDK",
        "25.0",
        "24.1",
    )
