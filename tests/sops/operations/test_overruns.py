from datetime import timedelta

import pytest

from sops.models import ProcedureVersion
from sops.operations import overruns, runs, steps
from tests.factories import NINE_OCLOCK, UserFactory
from tests.factories.warroom import IncidentFactory
from warroom.models import TimelineEntry

pytestmark = pytest.mark.django_db
TWICE = NINE_OCLOCK + timedelta(minutes=6)  # step 1 of DRV has 3 minutes
INSTANT = timedelta(microseconds=1)


@pytest.fixture
def run_id(procedures: dict[str, ProcedureVersion]) -> int:
    run = runs.follow(number=IncidentFactory.create().number, at=NINE_OCLOCK)
    assert run is not None
    return run.pk


@pytest.mark.parametrize(("at", "said"), [(TWICE - INSTANT, 0), (TWICE, 1)])
def test_at_twice_the_budget_and_not_before_the_commander_decides(
    run_id: int, at: object, said: int
) -> None:
    assert overruns.say_due(at=at) == said  # type: ignore[arg-type]


def test_it_is_said_once_and_for_the_instant_it_was_due(run_id: int) -> None:
    late = TWICE + timedelta(minutes=9)

    assert overruns.say_due(at=late) == 1
    assert overruns.say_due(at=late) == 0

    entry = TimelineEntry.objects.get(kind="sop_step_decide")
    assert (entry.at, entry.recorded_at) == (TWICE, late)


def test_a_step_that_was_done_in_time_is_left_alone(run_id: int) -> None:
    by = UserFactory.create()
    steps.done(run_id=run_id, step=1, output="", note="", by=by, at=TWICE - INSTANT)

    assert overruns.say_due(at=TWICE) == 0


def test_a_run_that_ended_is_left_alone(run_id: int) -> None:
    runs.abort(run_id=run_id, reason="x", by=UserFactory.create(), at=NINE_OCLOCK)

    assert overruns.say_due(at=TWICE + timedelta(days=1)) == 0
