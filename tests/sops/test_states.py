import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sops.models import Content
from sops.states import (
    ENDED,
    Action,
    IllegalMove,
    Move,
    RunMove,
    RunState,
    Slot,
    StepState,
    Target,
    actions_from,
    after,
    branching,
    finished,
    ready,
    run_after,
)
from sops.states.moves import STEP
from tests.factories.sops import shipped

CODES = sorted(shipped())
CONTENTS = {code: Content.read(shipped()[code]) for code in CODES}


def slots_of(code: str, states: dict[int, StepState] | None = None) -> list[Slot]:
    known = states or {}
    return [
        Slot(
            number=step.number,
            start=step.start,
            end=step.end,
            group=step.group,
            state=known.get(step.number, StepState.WAITING),
        )
        for step in CONTENTS[code].steps
    ]


@pytest.mark.parametrize("state", StepState)
@pytest.mark.parametrize("move", [*Action, *Move])
def test_a_step_either_moves_or_is_refused_with_its_state(
    state: StepState, move: Action | Move
) -> None:
    if (state, move) in STEP:
        assert after(state, move) == STEP[state, move]
    else:
        with pytest.raises(IllegalMove, match=str(state.label)):
            after(state, move)


@pytest.mark.parametrize("state", StepState)
def test_what_is_offered_is_what_the_table_allows(state: StepState) -> None:
    offered = actions_from(state)

    for action in Action:
        if action in offered:
            after(state, action)
        else:
            with pytest.raises(IllegalMove):
                after(state, action)


def test_an_ended_run_does_not_move() -> None:
    for state in (RunState.DONE, RunState.ABORTED):
        for move in RunMove:
            with pytest.raises(IllegalMove):
                run_after(state, move)


def test_only_the_first_step_is_ready_at_the_opening() -> None:
    for code in CODES:
        assert ready(slots_of(code)) == [1]


def test_steps_with_overlapping_minutes_are_ready_together() -> None:
    done = dict.fromkeys((1, 2, 3), StepState.DONE)

    assert ready(slots_of("TLF", done)) == [4, 5, 6]


def test_a_failed_step_holds_up_what_comes_after_it() -> None:
    states = {1: StepState.DONE, 2: StepState.FAILED}

    assert ready(slots_of("NHG", states)) == []


def test_hardware_comes_back_beside_the_restart() -> None:
    states = dict.fromkeys(range(1, 9), StepState.DONE)

    assert ready(slots_of("NCR", states)) == [9, 11]


def test_choosing_a_branch_bypasses_its_alternatives() -> None:
    states = {1: StepState.DONE, 2: StepState.DONE, 3: StepState.BRANCHED}

    effect = branching(slots_of("TLF", states), CONTENTS["TLF"].choices, source=3, target=6)

    assert effect.bypass == {4, 5, 7, 8}
    assert effect.rewind == frozenset()


def test_going_forward_bypasses_what_lies_between_but_not_what_has_begun() -> None:
    states = dict.fromkeys((1, 2, 3, 5), StepState.DONE) | {7: StepState.ACTIVE}

    effect = branching(slots_of("TLF", states), CONTENTS["TLF"].choices, source=5, target=9)

    assert effect.bypass == {6, 8}


def test_going_back_redoes_what_comes_after_the_target_only() -> None:
    states = dict.fromkeys((1, 2, 3, 4, 5, 6, 9, 10), StepState.DONE) | {11: StepState.BRANCHED}

    effect = branching(slots_of("PSD", states), CONTENTS["PSD"].choices, source=11, target=5)

    assert effect.rewind == {9, 10, 11}


def test_going_back_to_a_choice_opens_it_again() -> None:
    states = dict.fromkeys((1, 2, 6, 9, 10), StepState.DONE) | {
        3: StepState.BRANCHED,
        11: StepState.BRANCHED,
    }

    effect = branching(slots_of("TLF", states), CONTENTS["TLF"].choices, source=11, target=3)

    assert effect.restore == {3, 4, 5, 6, 7, 8}


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_any_walk_comes_to_its_end_and_never_opens_a_step_too_early(data: st.DataObject) -> None:
    code = data.draw(st.sampled_from(CODES))
    choices = CONTENTS[code].choices
    states: dict[int, StepState] = {}
    bypassed: set[int] = set()
    backwards = 0

    def slots() -> list[Slot]:
        rows = slots_of(code, states)
        return [
            Slot(
                number=s.number, start=s.start, end=s.end, group=s.group, state=s.state,
                bypassed=s.number in bypassed,
            )
            for s in rows
        ]  # fmt: skip

    for _ in range(200):
        for number in ready(slots()):
            mine = next(s for s in slots() if s.number == number)
            assert all(s.settled for s in slots() if mine.follows(s))
            states[number] = StepState.ACTIVE
        open_steps = [s for s in slots() if s.state in (StepState.ACTIVE, StepState.FAILED)]
        if not open_steps:
            break
        step = data.draw(st.sampled_from(open_steps))
        action = data.draw(st.sampled_from(actions_from(step.state)))
        if action == Action.BRANCH:
            others = [s.number for s in slots() if s.number != step.number]
            if backwards >= 3:
                others = [n for n in others if n > step.number]
            if not others:
                continue
            target = data.draw(st.sampled_from(others))
            backwards += target < step.number
            states[step.number] = after(step.state, Action.BRANCH)
            effect = branching(slots(), choices, source=step.number, target=target)
            assert not effect.bypass & {s.number for s in slots() if s.state in ENDED}
            bypassed |= effect.bypass
            bypassed -= effect.restore
            for number in effect.rewind:
                states[number] = after(states[number], Move.REWIND)
            states[target] = StepState.ACTIVE
        else:
            states[step.number] = after(step.state, action)
    else:
        pytest.skip("walked in circles of fail and retry")
    assert finished(slots())


@pytest.mark.parametrize("text", ["4", "PSD", "NCR:3", "tier:2"])
def test_a_target_reads_back_as_it_was_written(text: str) -> None:
    assert str(Target.parse(text)) == text


@pytest.mark.parametrize("text", ["", "tier:9", "step four", "psd", "4; rm", None])
def test_what_names_no_target_is_refused(text: object) -> None:
    with pytest.raises(ValueError, match="no target"):
        Target.parse(text)
