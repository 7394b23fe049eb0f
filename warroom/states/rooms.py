"""Rooms, the people in them, the clocks over them, and hand-overs. Pure data."""

from collections.abc import Mapping
from typing import TypeVar

from django.db.models import TextChoices
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from warroom.states.incidents import IllegalTransition


class Role(TextChoices):
    COMMANDER = "commander", _("Commander")
    DEPUTY = "deputy", _("Deputy commander")
    RECOVERY_OWNER = "recovery_owner", _("Recovery owner")
    SCRIBE = "scribe", _("Scribe")
    COMMUNICATIONS = "communications_lead", _("Communications lead")
    CUSTOMER_CONTACT = "customer_contact", _("Customer contact")
    DOMAIN_LEAD = "domain_lead", _("Domain lead")
    DECISION_MAKER = "decision_maker", _("Decision maker")
    OBSERVER = "observer", _("Observer")


class ImpactKind(TextChoices):
    INTERRUPTED = "interrupted", _("Jobs interrupted")
    DEGRADED = "degraded", _("Jobs slowed down")
    WRONG_RESULT = "wrong_result", _("Results may be wrong")
    GLOBAL = "global", _("The whole platform")
    NONE = "none", _("No job affected")


class Proof(TextChoices):
    """How we know that a job runs again."""

    STEPS = "steps", _("Ten steps at 95 % of its baseline")
    WAIVER = "waiver", _("A person said so")


class RoomState(TextChoices):
    CONVENING = "convening", _("Convening")
    ACTIVE = "active", _("Active")
    RECOVERED = "recovered", _("Room recovered")
    STOOD_DOWN = "stood_down", _("Stood down")


class RoomMove(TextChoices):
    START = "start", _("start")
    RECOVER = "recover", _("recover")
    RETURN = "return", _("return to work")
    STAND_DOWN = "stand_down", _("stand down")


R = RoomState
ROOM: dict[tuple[RoomState, RoomMove], RoomState] = {
    (R.CONVENING, RoomMove.START): R.ACTIVE,
    (R.CONVENING, RoomMove.RECOVER): R.RECOVERED,
    (R.ACTIVE, RoomMove.RECOVER): R.RECOVERED,
    (R.RECOVERED, RoomMove.RETURN): R.ACTIVE,
    (R.STOOD_DOWN, RoomMove.RETURN): R.ACTIVE,
    **{
        (state, RoomMove.STAND_DOWN): R.STOOD_DOWN for state in (R.CONVENING, R.ACTIVE, R.RECOVERED)
    },
}


class ParticipantState(TextChoices):
    ASKED = "asked", _("Asked")
    ACKNOWLEDGED = "acknowledged", _("Acknowledged")
    JOINED = "joined", _("Joined")
    LEFT = "left", _("Left")
    DECLINED = "declined", _("Can't come")
    NO_ANSWER = "no_answer", _("No answer")
    REPLACED = "replaced", _("No longer needed")


class ParticipantMove(TextChoices):
    ASK = "ask", _("ask")
    ACKNOWLEDGE = "acknowledge", _("acknowledge")
    FORGET = "forget", _("ask again")
    JOIN = "join", _("join")
    LEAVE = "leave", _("leave")
    DECLINE = "decline", _("decline")
    GIVE_UP = "give_up", _("give up")
    REPLACE = "replace", _("replace")


P, PM = ParticipantState, ParticipantMove
AWAITED = (P.ASKED, P.ACKNOWLEDGED)
PARTICIPANT: dict[tuple[ParticipantState, ParticipantMove], ParticipantState] = {
    **{(state, PM.JOIN): P.JOINED for state in P if state != P.JOINED},
    **{(state, PM.ASK): P.ASKED for state in (P.LEFT, P.DECLINED, P.NO_ANSWER, P.REPLACED)},
    (P.ASKED, PM.ACKNOWLEDGE): P.ACKNOWLEDGED,
    (P.ACKNOWLEDGED, PM.FORGET): P.ASKED,
    (P.JOINED, PM.LEAVE): P.LEFT,
    **{(state, PM.DECLINE): P.DECLINED for state in AWAITED},
    **{(state, PM.GIVE_UP): P.NO_ANSWER for state in AWAITED},
    **{(state, PM.REPLACE): P.REPLACED for state in AWAITED},
}


class ClockKind(TextChoices):
    ASSEMBLE = "assemble", _("Assemble")
    RESTORE = "restore", _("Restore")
    HAND_OVER = "hand_over", _("Hand-over")


class ClockState(TextChoices):
    RUNNING = "running", _("Running")
    MET = "met", _("Met")
    BREACHED = "breached", _("Breached")
    MET_LATE = "met_late", _("Met late")
    CANCELLED = "cancelled", _("Cancelled")


class ClockMove(TextChoices):
    MEET = "meet", _("meet")
    BREACH = "breach", _("breach")
    CORRECT = "correct", _("met in time, as it turned out")
    RESUME = "resume", _("run again")
    CANCEL = "cancel", _("cancel")


C, CM = ClockState, ClockMove
CLOCK: dict[tuple[ClockState, ClockMove], ClockState] = {
    (C.RUNNING, CM.MEET): C.MET,
    (C.RUNNING, CM.BREACH): C.BREACHED,
    (C.RUNNING, CM.CANCEL): C.CANCELLED,
    (C.BREACHED, CM.MEET): C.MET_LATE,
    (C.BREACHED, CM.CORRECT): C.MET,
    (C.BREACHED, CM.CANCEL): C.CANCELLED,
    (C.MET, CM.RESUME): C.RUNNING,
    (C.MET_LATE, CM.RESUME): C.BREACHED,
}


class StepState(TextChoices):
    """A step fires once. A met clock holds what is left; running again releases it."""

    PENDING = "pending", _("Pending")
    FIRED = "fired", _("Fired")
    HELD = "held", _("Held")
    CANCELLED = "cancelled", _("Cancelled")
    EXPIRED = "expired", _("Too old, only recorded")


class StepAction(TextChoices):
    TELL_OTHERS = "tell_others", _("Tell who is consulted or informed")
    CALL_BACKUPS = "call_backups", _("Call the backups")
    CALL_MANAGERS = "call_managers", _("Call the domain managers")
    CALL_NEXT_LEVEL = "call_next_level", _("Call the next level")
    ASSEMBLE_BREACH = "assemble_breach", _("Not assembled in time")
    RAISE_TIER = "raise_tier", _("Raise the tier")
    SAFEST_RESTART = "safest_restart", _("Advise the safest restart")
    RESTORE_BREACH = "restore_breach", _("Not restored in time")
    ASK_AGAIN = "ask_again", _("Ask again")
    EXPIRE_HAND_OVER = "expire_hand_over", _("The hand-over expires")


class HandOverState(TextChoices):
    OFFERED = "offered", _("Offered")
    ACCEPTED = "accepted", _("Accepted")
    REFUSED = "refused", _("Refused")
    EXPIRED = "expired", _("Expired")


class HandOverMove(TextChoices):
    ACCEPT = "accept", _("accept")
    REFUSE = "refuse", _("refuse")
    EXPIRE = "expire", _("expire")


H = HandOverState
HAND_OVER: dict[tuple[HandOverState, HandOverMove], HandOverState] = {
    (H.OFFERED, HandOverMove.ACCEPT): H.ACCEPTED,
    (H.OFFERED, HandOverMove.REFUSE): H.REFUSED,
    (H.OFFERED, HandOverMove.EXPIRE): H.EXPIRED,
}


StateT = TypeVar("StateT", bound=TextChoices)
MoveT = TypeVar("MoveT", bound=TextChoices)


def _after(table: Mapping[tuple[StateT, MoveT], StateT], state: StateT, move: MoveT) -> StateT:
    if (state, move) not in table:
        raise IllegalTransition(
            gettext("Too late: it is already “%(state)s”.") % {"state": state.label}
        )
    return table[state, move]


def room_after(state: str, move: RoomMove) -> RoomState:
    return _after(ROOM, RoomState(state), move)


def participant_after(state: str, move: ParticipantMove) -> ParticipantState:
    return _after(PARTICIPANT, ParticipantState(state), move)


def clock_after(state: str, move: ClockMove) -> ClockState:
    return _after(CLOCK, ClockState(state), move)


def hand_over_after(state: str, move: HandOverMove) -> HandOverState:
    return _after(HAND_OVER, HandOverState(state), move)
