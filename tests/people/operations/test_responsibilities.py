import pytest

from core.errors import Invalid, NotAllowed, Refused, Stale
from core.models import Change
from people.models import Responsibility, User
from people.operations import responsibilities
from tests.factories import NINE_OCLOCK, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _shipped() -> None:
    responsibilities.load_shipped(at=NINE_OCLOCK)


def write(domain: str, letter: str, by: User, version: int = 1, condition: str = "") -> None:
    responsibilities.set_cell(
        failure_class="DRV",
        domain=domain,
        letter=letter,
        condition=condition,
        version=version,
        by=by,
        at=NINE_OCLOCK,
    )


def letter(domain: str) -> str:
    return Responsibility.objects.get(failure_class="DRV", domain=domain).letter


def test_a_lead_changes_a_cell_and_the_change_is_logged() -> None:
    lead = UserFactory.create(lead=True)

    write("NET", "R", lead, condition="network_evidence")

    change = Change.objects.get(target="responsibility:DRV/NET")
    assert (change.actor, change.before["letter"], change.after["letter"]) == (lead, "I", "R")


def test_giving_a_to_another_domain_takes_it_from_the_first() -> None:
    write("PLT", "A", UserFactory.create(lead=True))

    assert (letter("PLT"), letter("SRE")) == ("A", "C")


def test_taking_a_away_without_a_successor_is_refused() -> None:
    with pytest.raises(Refused, match="exactly one A"):
        write("SRE", "R", UserFactory.create(lead=True))

    assert letter("SRE") == "A"


def test_the_second_writer_of_a_version_is_refused_with_what_stands_there() -> None:
    lead = UserFactory.create(lead=True)
    write("NET", "C", lead)

    with pytest.raises(Stale, match="DRV/NET: C"):
        write("NET", "R", lead)

    assert letter("NET") == "C"


def test_engineers_do_not_write_the_matrix() -> None:
    with pytest.raises(NotAllowed):
        write("NET", "R", UserFactory.create())

    assert letter("NET") == "I"


@pytest.mark.parametrize(
    ("domain", "word", "condition"),
    [("XXX", "R", ""), ("NET", "Q", ""), ("NET", "R", "sometimes"), ("PLT", "A", "tier2")],
)
def test_unknown_words_are_refused_with_the_known_ones(
    domain: str, word: str, condition: str
) -> None:
    with pytest.raises(Invalid):
        write(domain, word, UserFactory.create(lead=True), condition=condition)


def test_loading_again_keeps_what_people_wrote() -> None:
    write("NET", "R", UserFactory.create(lead=True))

    assert responsibilities.load_shipped(at=NINE_OCLOCK) == 0
    assert letter("NET") == "R"
