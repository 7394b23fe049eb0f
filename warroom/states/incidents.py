"""Every legal move an incident can make. No ORM, no clock, no I/O."""

from django.db.models import TextChoices
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.errors import Refused


class IncidentState(TextChoices):
    PROPOSED = "proposed", _("Proposed")
    OPEN = "open", _("Open")
    RESPONDING = "responding", _("Responding")
    ASSEMBLED = "assembled", _("Assembled")
    LOCATED = "located", _("Located")
    RESTORING = "restoring", _("Restoring")
    VERIFYING = "verifying", _("Verifying")
    RESTORED = "restored", _("Restored")
    CLOSED = "closed", _("Closed")
    FALSE_ALARM = "false_alarm", _("False alarm")
    MERGED = "merged", _("Merged")
    REJECTED = "rejected", _("Rejected")


S = IncidentState


class Action(TextChoices):
    """What a person can do: the words of the API and of the buttons."""

    ACKNOWLEDGE = "acknowledge", _("Acknowledge")
    JOIN = "join", _("Join")
    DECLINE = "decline", _("Can't come")
    LEAVE = "leave", _("Leave")
    TAKE_COMMAND = "take_command", _("Take command")
    ASSIGN = "assign", _("Assign a role")
    HAND_OVER = "hand_over", _("Hand over")
    ACCEPT = "accept", _("Accept")
    REFUSE = "refuse", _("Refuse")
    RAISE_TIER = "raise_tier", _("Raise tier")
    CONFIRM_ROOT = "confirm_root", _("Confirm root")
    RECLASSIFY = "reclassify", _("Confirm or change class")
    NOTE = "note", _("Write a note")
    MARK_RESTORED = "mark_restored", _("Mark restored")
    REVOKE_RESTORED = "revoke_restored", _("Revoke restored")
    STAND_DOWN = "stand_down", _("Stand down room")
    REOPEN = "reopen", _("Reopen")
    FALSE_ALARM = "false_alarm", _("False alarm")
    PROMOTE = "promote", _("Promote")
    REJECT = "reject", _("Reject")


class Move(TextChoices):
    """What happens to an incident without anybody pressing a button."""

    ASSEMBLE = "assemble", _("assemble")
    START_RESTORING = "start_restoring", _("start restoring")
    VERIFY = "verify", _("verify")
    RESTORE = "restore", _("restore")
    MERGE = "merge", _("merge")


LIVE = (S.OPEN, S.RESPONDING, S.ASSEMBLED, S.LOCATED, S.RESTORING, S.VERIFYING)
"""The states of an incident that is not restored: its restore clock runs."""
HELD = (*LIVE, S.RESTORED)
"""The states of an incident that has a room in which people may work."""
OPEN = (S.PROPOSED, *HELD)
"""The states of an incident that still holds its alert group."""

FORWARD = {state: place for place, state in enumerate(HELD)}


class IllegalTransition(Refused):
    """The incident has moved on since the caller last looked at it."""


def _stay(*actions: Action, states: tuple[S, ...] = HELD) -> dict[tuple[S, Action | Move], S]:
    return {(state, action): state for action in actions for state in states}


def _forward(
    action: Action | Move, to: S, states: tuple[S, ...] = LIVE
) -> dict[tuple[S, Action | Move], S]:
    """Skip forward to `to`, never back."""
    return {(state, action): to if FORWARD[state] < FORWARD[to] else state for state in states}


TRANSITIONS: dict[tuple[IncidentState, Action | Move], IncidentState] = {
    (S.PROPOSED, Action.PROMOTE): S.OPEN,
    (S.PROPOSED, Action.REJECT): S.REJECTED,
    (S.PROPOSED, Action.NOTE): S.PROPOSED,
    (S.PROPOSED, Move.MERGE): S.MERGED,
    **_forward(Action.ACKNOWLEDGE, S.RESPONDING),
    **_forward(Action.JOIN, S.RESPONDING, HELD),
    **_forward(Action.TAKE_COMMAND, S.RESPONDING, HELD),
    **_stay(Action.DECLINE, Action.RAISE_TIER, states=LIVE),
    **_stay(Action.LEAVE, Action.ASSIGN, Action.HAND_OVER, Action.ACCEPT, Action.REFUSE),
    **_stay(Action.RECLASSIFY),
    **_stay(Action.NOTE, states=(*HELD, S.CLOSED, S.FALSE_ALARM)),
    **_forward(Move.ASSEMBLE, S.ASSEMBLED, HELD),
    **_forward(Action.CONFIRM_ROOT, S.LOCATED, HELD),
    **_forward(Move.START_RESTORING, S.RESTORING),
    **_forward(Move.VERIFY, S.VERIFYING),
    **_forward(Action.MARK_RESTORED, S.VERIFYING),
    **_forward(Move.RESTORE, S.RESTORED),
    (S.RESTORED, Action.REVOKE_RESTORED): S.RESTORING,
    (S.RESTORED, Action.STAND_DOWN): S.CLOSED,
    (S.CLOSED, Action.REOPEN): S.RESTORING,
    **{(state, Action.FALSE_ALARM): S.FALSE_ALARM for state in HELD},
    **{(state, Move.MERGE): S.MERGED for state in HELD},
}


def target_of(state: IncidentState, action: Action | Move) -> IncidentState:
    """:raises IllegalTransition: if the table has no such move."""
    if (state, action) not in TRANSITIONS:
        raise IllegalTransition(
            gettext("“%(action)s” is not possible: the incident is %(state)s.")
            % {"action": action.label, "state": state.label.lower()}
        )
    return TRANSITIONS[state, action]


def moved(state: IncidentState, move: Move) -> IncidentState:
    """Where a move of the system leads; where it does not apply nothing changes."""
    return TRANSITIONS.get((state, move), state)


def actions_from(state: IncidentState) -> list[Action]:
    return [action for action in Action if (state, action) in TRANSITIONS]
