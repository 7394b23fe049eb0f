"""The tables against the words of design.md 4."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warroom.states import (
    HELD,
    LIVE,
    OPEN,
    Action,
    ClockMove,
    ClockState,
    HandOverMove,
    HandOverState,
    IllegalTransition,
    IncidentState,
    Move,
    ParticipantMove,
    ParticipantState,
    RoomMove,
    RoomState,
    Standing,
    actions_from,
    may,
    target_of,
)
from warroom.states.fields import FIELDS
from warroom.states.incidents import FORWARD, TRANSITIONS
from warroom.states.rooms import CLOCK, HAND_OVER, PARTICIPANT, ROOM

ENDED = (IncidentState.FALSE_ALARM, IncidentState.MERGED, IncidentState.REJECTED)
EVERY_MOVE = [*Action, *Move]
BACK = {Action.REVOKE_RESTORED, Action.REOPEN}


@given(st.lists(st.sampled_from(EVERY_MOVE), max_size=30))
def test_only_a_revoke_or_a_reopening_ever_leads_back(moves: list[Action | Move]) -> None:
    state = IncidentState.OPEN
    for move in moves:
        before = state
        try:
            state = target_of(state, move)
        except IllegalTransition:
            continue
        if before in FORWARD and state in FORWARD and move not in BACK:
            assert FORWARD[state] >= FORWARD[before]


@given(st.sampled_from(ENDED), st.sampled_from(EVERY_MOVE))
def test_nothing_leaves_an_end(state: IncidentState, move: Action | Move) -> None:
    if move == Action.NOTE:
        return

    with pytest.raises(IllegalTransition):
        target_of(state, move)


@pytest.mark.parametrize("state", LIVE)
def test_steps_may_be_skipped_forward(state: IncidentState) -> None:
    assert target_of(state, Move.RESTORE) == IncidentState.RESTORED
    assert target_of(state, Action.FALSE_ALARM) == IncidentState.FALSE_ALARM


def test_a_room_is_closed_only_from_restored() -> None:
    sources = {s for (s, m), to in TRANSITIONS.items() if to == IncidentState.CLOSED and s != to}

    assert sources == {IncidentState.RESTORED}


def test_every_action_is_possible_somewhere_and_has_its_fields() -> None:
    assert {a for state in IncidentState for a in actions_from(state)} == set(Action)
    assert set(FIELDS) == set(Action)


def test_a_viewer_is_offered_nothing() -> None:
    who = Standing(role="viewer", commander=True, owner=True)

    assert not [action for action in Action if may(action, who)]


@pytest.mark.parametrize(
    ("role", "offered"), [("engineer", False), ("commander", True), ("lead", True), ("admin", True)]
)
def test_standing_down_needs_command(role: str, offered: bool) -> None:
    assert may(Action.STAND_DOWN, Standing(role=role)) is offered
    assert may(Action.STAND_DOWN, Standing(role="engineer", commander=True))


def test_everybody_can_join_from_every_other_state() -> None:
    for state in ParticipantState:
        legal = (state, ParticipantMove.JOIN) in PARTICIPANT
        assert legal is (state != ParticipantState.JOINED)


def test_the_other_tables_hold_exactly_the_moves_of_the_design() -> None:
    assert {(s, to) for (s, _), to in ROOM.items() if to != RoomState.STOOD_DOWN} == {
        (RoomState.CONVENING, RoomState.ACTIVE),
        (RoomState.CONVENING, RoomState.RECOVERED),
        (RoomState.ACTIVE, RoomState.RECOVERED),
        (RoomState.RECOVERED, RoomState.ACTIVE),
        (RoomState.STOOD_DOWN, RoomState.ACTIVE),
    }
    assert CLOCK[ClockState.RUNNING, ClockMove.MEET] == ClockState.MET
    assert CLOCK[ClockState.BREACHED, ClockMove.MEET] == ClockState.MET_LATE
    assert (ClockState.MET, ClockMove.CANCEL) not in CLOCK
    assert {s for s, _ in HAND_OVER} == {HandOverState.OFFERED}
    assert len(HAND_OVER) == len(HandOverMove)
    assert (RoomState.STOOD_DOWN, RoomMove.STAND_DOWN) not in ROOM


def test_open_holds_live_and_restored_and_proposed() -> None:
    assert set(OPEN) == {IncidentState.PROPOSED, *HELD}
    assert set(HELD) == {*LIVE, IncidentState.RESTORED}
