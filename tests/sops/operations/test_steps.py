import threading
from datetime import timedelta

import pytest
from django.db import connection

from core.errors import Invalid, NotAllowed, NotFound, Refused
from people.models import User
from sops.models import OUTPUT_LIMIT, ProcedureVersion, Run
from sops.operations import actions, runs, steps
from sops.states import IllegalMove
from tests.factories import NINE_OCLOCK, UserFactory
from tests.factories.sops import VersionFactory
from tests.factories.warroom import IncidentFactory
from warroom.models import TimelineEntry

pytestmark = pytest.mark.django_db
Procedures = dict[str, ProcedureVersion]


def minute(number: float) -> object:
    return NINE_OCLOCK + timedelta(minutes=number)


@pytest.fixture
def by(db: None) -> User:
    return UserFactory.create(name="Wang Fang")


@pytest.fixture
def run(procedures: Procedures) -> Run:
    started = runs.follow(number=IncidentFactory.create().number, at=NINE_OCLOCK)
    assert started is not None
    return started


def take(run: Run, action: str, by: User, at: float = 1, **data: object) -> Run:
    return actions.take(run_id=run.pk, action=action, data=data, by=by, at=minute(at))  # type: ignore[arg-type]


def states(run: Run) -> dict[int, str]:
    return dict(run.steps.values_list("number", "state"))


def test_done_records_who_when_and_what_and_opens_the_next(run: Run, by: User) -> None:
    take(run, "done", by, at=2, step=1, output="80E01801\n", note="L6")

    first, second = run.steps.get(number=1), run.steps.get(number=2)
    assert (first.state, first.by, first.ended_at) == ("done", by, minute(2))
    assert (first.output, first.note) == ("80E01801\n", "L6")
    assert (second.state, second.started_at) == ("active", minute(2))
    entry = TimelineEntry.objects.get(kind="sop_step_done")
    assert (entry.actor, entry.text, entry.params["used"]) == (by, "L6", 2)


def test_the_second_to_press_done_is_told_who_was_first(run: Run, by: User) -> None:
    take(run, "done", by, at=2, step=1)

    with pytest.raises(IllegalMove, match=r"step 1 is “Done” since 09:02:00, by Wang Fang"):
        take(run, "done", UserFactory.create(), at=3, step=1)

    assert run.steps.get(number=1).by == by
    assert TimelineEntry.objects.filter(kind="sop_step_done").count() == 1


def test_steps_with_overlapping_minutes_run_beside_each_other(run: Run, by: User) -> None:
    for number in (1, 2, 3, 4):
        take(run, "done", by, step=number)

    assert [n for n, s in states(run).items() if s == "active"] == [5, 6, 7]
    take(run, "done", by, step=5)
    assert {n for n, s in states(run).items() if s == "active"} == {6, 7, 9}


def test_a_failed_step_is_tried_again_and_the_attempt_is_kept(run: Run, by: User) -> None:
    take(run, "fail", by, step=1, note="table is empty", output="0 rows")
    assert states(run)[2] == "waiting"

    take(run, "retry", by, at=4, step=1)

    step = run.steps.get(number=1)
    assert (step.state, step.attempts, step.started_at) == ("active", 2, minute(4))
    assert (step.note, step.output) == ("", "")
    assert [a["note"] for a in step.earlier] == ["table is empty"]


@pytest.mark.parametrize(("action", "field"), [("fail", "note"), ("skip", "reason")])
def test_failing_and_skipping_need_a_reason(run: Run, by: User, action: str, field: str) -> None:
    with pytest.raises(Invalid) as refused:
        take(run, action, by, at=4, step=1, **{field: "  "})

    assert list(refused.value.fields) == [field]
    assert states(run)[1] == "active"


def test_skipping_goes_on(run: Run, by: User) -> None:
    take(run, "skip", by, step=1, reason="decoded by the platform")

    assert (states(run)[1], states(run)[2]) == ("skipped", "active")


def test_a_step_can_be_started_before_its_turn(run: Run, by: User) -> None:
    take(run, "start", by, step=9)

    assert states(run)[9] == "active"
    assert TimelineEntry.objects.filter(kind="sop_step_started").exists()


def test_starting_a_run_that_goes_already_changes_nothing(run: Run, by: User) -> None:
    before = states(run)

    take(run, "start", by)

    assert states(run) == before
    assert not TimelineEntry.objects.filter(kind="sop_step_started").exists()


def test_long_output_is_cut_with_a_count_and_nothing_in_it_is_run(run: Run, by: User) -> None:
    output = "$(reboot) \x00" + "x" * OUTPUT_LIMIT

    take(run, "done", by, step=1, output=output)

    step = run.steps.get(number=1)
    assert step.output.startswith("$(reboot) x")
    assert len(step.output) == OUTPUT_LIMIT
    assert step.output_cut == 10


def test_a_viewer_is_refused_with_who_may(run: Run) -> None:
    viewer = UserFactory.create(viewer=True)

    for action in ("start", "done", "abort"):
        with pytest.raises(NotAllowed, match="engineer"):
            take(run, action, viewer, step=1, reason="x")

    assert states(run)[1] == "active"


def test_a_step_that_is_not_there_is_not_found(run: Run, by: User) -> None:
    with pytest.raises(NotFound, match="no step 99"):
        take(run, "done", by, step=99)


def test_an_ended_run_is_walked_no_further(run: Run, by: User) -> None:
    take(run, "abort", by, reason="vendor takes over")

    with pytest.raises(Refused, match="Aborted"):
        take(run, "done", by, step=1)


def test_walking_to_the_end_finishes_the_run(run: Run, by: User) -> None:
    for number in range(1, 14):
        take(run, "done", by, at=number, step=number)

    run.refresh_from_db()
    assert (run.state, run.closed_reason, run.closed_at) == ("done", "finished", minute(13))
    closed = TimelineEntry.objects.get(kind="sop_run_closed")
    assert closed.params["done"] == 13


@pytest.mark.django_db(transaction=True)
def test_of_two_who_press_done_together_one_wins() -> None:
    VersionFactory.create(code="DRV")
    run = runs.follow(number=IncidentFactory.create().number, at=NINE_OCLOCK)
    assert run is not None
    people = [UserFactory.create(name=name) for name in ("Li", "Zhao")]
    barrier, answers = threading.Barrier(2), []

    def press(person: User) -> None:
        try:
            barrier.wait()
            at = NINE_OCLOCK + timedelta(minutes=1)
            steps.done(run_id=run.pk, step=1, output="", note="", by=person, at=at)
            answers.append("done")
        except IllegalMove as refusal:
            answers.append(str(refusal))
        finally:
            connection.close()

    threads = [threading.Thread(target=press, args=(person,)) for person in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert answers.count("done") == 1
    winner = run.steps.get(number=1).by
    assert winner is not None
    assert winner.name in next(a for a in answers if a != "done")
    assert TimelineEntry.objects.filter(kind="sop_step_done").count() == 1
