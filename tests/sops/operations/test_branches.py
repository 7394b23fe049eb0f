from datetime import timedelta

import pytest

from core.errors import Invalid, NotFound
from fleet.models import FailureClass
from people.models import User
from sops.models import ProcedureVersion, Run
from sops.operations import branches, runs, steps
from tests.factories import NINE_OCLOCK, UserFactory
from tests.factories.warroom import IncidentFactory, RoomFactory
from warroom.models import Incident, TimelineEntry

pytestmark = pytest.mark.django_db
Procedures = dict[str, ProcedureVersion]
AT = NINE_OCLOCK + timedelta(minutes=12)


@pytest.fixture
def by(db: None) -> User:
    return UserFactory.create(role="commander")


def started(code: str) -> Run:
    room = RoomFactory.create(incident=IncidentFactory.create(failure_class=code))
    run = runs.follow(number=room.incident_id, at=NINE_OCLOCK)
    assert run is not None
    return run


def walk(run: Run, numbers: range, by: User) -> None:
    for number in numbers:
        steps.done(run_id=run.pk, step=number, output="", note="", by=by, at=AT)


def branch(run: Run, step: int, to: str, by: User, note: str = "") -> Run:
    return branches.branch(run_id=run.pk, step=step, to=to, note=note, by=by, at=AT)


def states(run: Run) -> dict[int, str]:
    return dict(run.steps.values_list("number", "state"))


def test_a_branch_opens_its_target_alone(procedures: Procedures, by: User) -> None:
    run = started("TLF")
    walk(run, range(1, 3), by)

    branch(run, 3, "6", by, "init fails on sn22")

    assert {n for n, s in states(run).items() if s == "active"} == {6}
    assert set(run.steps.filter(bypassed=True).values_list("number", flat=True)) == {4, 5, 7, 8}
    assert run.steps.get(number=3).went_to == "6"
    entry = TimelineEntry.objects.get(kind="sop_step_branched")
    assert (entry.params["to"], entry.text) == (6, "init fails on sn22")


def test_the_bypassed_are_not_waited_for(procedures: Procedures, by: User) -> None:
    run = started("TLF")
    walk(run, range(1, 3), by)
    branch(run, 3, "6", by)

    branch(run, 6, "9", by)

    assert {n for n, s in states(run).items() if s == "active"} == {9}


def test_a_bypassed_step_can_still_be_started(procedures: Procedures, by: User) -> None:
    run = started("TLF")
    walk(run, range(1, 3), by)
    branch(run, 3, "6", by)

    steps.start(run_id=run.pk, step=7, by=by, at=AT)

    step = run.steps.get(number=7)
    assert (step.state, step.bypassed) == ("active", False)


def test_going_back_does_it_again_and_keeps_what_was_written(
    procedures: Procedures, by: User
) -> None:
    run = started("PSD")
    walk(run, range(1, 11), by)

    branch(run, 11, "5", by)

    assert states(run)[5] == "active"
    assert [states(run)[n] for n in (9, 10, 11)] == ["waiting"] * 3
    assert states(run)[6] == "done"
    assert run.steps.get(number=9).earlier[0]["state"] == "done"
    assert run.steps.get(number=11).earlier[0]["went_to"] == "5"


def test_another_class_changes_the_incident_and_starts_its_procedure(
    procedures: Procedures, by: User
) -> None:
    FailureClass.objects.create(code="NCR", order=4, name_en="Node crash", name_zh="节点宕机")
    run = started("NHG")
    walk(run, range(1, 3), by)

    new = branch(run, 3, "NCR", by)

    run.refresh_from_db()
    incident = Incident.objects.get(pk=run.incident_number)
    assert incident.failure_class == "NCR"
    assert (run.state, run.closed_reason) == ("aborted", "branched")
    assert (new.version, new.branched_from) == (procedures["NCR"], run)
    assert new.opened_at == NINE_OCLOCK
    assert states(new)[1] == "active"
    assert runs.follow(number=incident.number, at=AT) == new


def test_going_on_in_another_procedure_at_a_step_keeps_the_class(
    procedures: Procedures, by: User
) -> None:
    run = started("NCR")
    walk(run, range(1, 9), by)

    new = branch(run, 9, "TLF:3", by)

    assert Incident.objects.get(pk=run.incident_number).failure_class == "NCR"
    assert states(new)[3] == "active"
    assert set(new.steps.filter(bypassed=True).values_list("number", flat=True)) == {1, 2}
    assert runs.follow(number=run.incident_number, at=AT) == new


def test_raising_the_tier_leaves_the_step_open(procedures: Procedures, by: User) -> None:
    run = started("DRV")
    walk(run, range(1, 2), by)

    branch(run, 2, "tier:2", by)

    assert Incident.objects.get(pk=run.incident_number).tier == 2
    assert states(run)[2] == "active"


@pytest.mark.parametrize("to", ["1", "99", "nowhere", "tier:7", ""])
def test_what_leads_nowhere_is_refused_and_changes_nothing(
    procedures: Procedures, by: User, to: str
) -> None:
    run = started("DRV")

    with pytest.raises(Invalid) as refused:
        branch(run, 1, to, by)

    assert list(refused.value.fields) == ["to"]
    assert states(run)[1] == "active"


def test_a_procedure_that_is_not_published_is_not_found(procedures: Procedures, by: User) -> None:
    run = started("DRV")

    with pytest.raises(NotFound, match="XYZ"):
        branch(run, 1, "XYZ", by)

    run.refresh_from_db()
    assert run.running
