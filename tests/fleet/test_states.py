import pytest
from hypothesis import given
from hypothesis import strategies as st

from fleet.states import (
    TRANSITIONS,
    Action,
    IllegalMove,
    State,
    action_between,
    actions_from,
    target_of,
)


@given(st.lists(st.sampled_from(list(Action)), max_size=40))
def test_no_walk_leads_from_repair_to_service_but_through_a_passed_burn_in(
    wishes: list[Action],
) -> None:
    state, proved = State.REPAIR, False
    for wish in wishes:
        if wish not in actions_from(state):
            continue
        proved = proved or wish == Action.PASS_BURN_IN
        state = target_of(state, wish)

        assert proved or state not in (State.IN_SERVICE, State.SPARE, State.SUSPECT)


@given(st.sampled_from(list(State)), st.sampled_from(list(Action)))
def test_a_move_is_either_offered_or_refused(state: State, action: Action) -> None:
    if action in actions_from(state):
        assert isinstance(target_of(state, action), State)
    else:
        with pytest.raises(IllegalMove):
            target_of(state, action)


def test_one_action_at_most_leads_from_one_state_to_another() -> None:
    pairs = [(source, target) for (source, _), target in TRANSITIONS.items()]

    assert len(pairs) == len(set(pairs))


def test_the_action_between_two_states_leads_there() -> None:
    for (source, action), target in TRANSITIONS.items():
        assert action_between(source, target) == action


def test_nothing_comes_back_from_retirement() -> None:
    assert actions_from(State.RETIRED) == []


def test_every_state_but_the_first_can_be_reached() -> None:
    assert {State.IN_SERVICE, *TRANSITIONS.values()} == set(State)
