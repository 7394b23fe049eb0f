"""Who may do what to an incident: rights by role, and by what a person holds in it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from warroom.states.incidents import Action
from warroom.states.rooms import AWAITED, ParticipantState

COMMANDING = ("commander", "lead", "admin")
"""The roles of users who may command any incident."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What a person is to one incident."""

    role: str
    participant: str = ""
    called_for_command: bool = False
    commander: bool = False
    owner: bool = False
    recovery_owner: bool = False
    offered: bool = False
    lowest_tier: bool = False

    @property
    def holds(self) -> bool:
        return self.commander or self.owner or self.recovery_owner


Test = Callable[[Standing], bool]
Right = tuple[Test, Promise | str]


def _responder(who: Standing) -> bool:
    return who.role != "viewer"


def _in_command(who: Standing) -> bool:
    return _responder(who) and (who.commander or who.role in COMMANDING)


RESPOND: Right = (
    _responder,
    _("Viewers only read. Everybody from the role engineer up may do this."),
)
COMMAND: Right = (
    _in_command,
    _("Only the commander, or somebody with the role commander, lead or admin, may do this."),
)
END: Right = (
    lambda who: _in_command(who) or (_responder(who) and who.owner),
    _(
        "Only the commander, the owner, or somebody with the role commander, lead or admin, may do this."
    ),
)
TAKE: Right = (
    lambda who: _responder(who) and (who.called_for_command or who.role in COMMANDING),
    _(
        "Only who was called for SRE, or somebody with the role commander, lead or admin, may do this."
    ),
)
GIVE: Right = (
    lambda who: _responder(who) and who.holds,
    _("Only the owner, the commander or the recovery owner has something to hand over."),
)
ANSWER: Right = (
    lambda who: who.offered,
    _("Only the person to whom it was offered may answer."),
)

RIGHTS: dict[Action, Right] = {
    Action.TAKE_COMMAND: TAKE,
    Action.ASSIGN: COMMAND,
    Action.HAND_OVER: GIVE,
    Action.ACCEPT: ANSWER,
    Action.REFUSE: ANSWER,
    Action.STAND_DOWN: COMMAND,
    Action.REOPEN: COMMAND,
    Action.FALSE_ALARM: END,
}

USEFUL: dict[Action, Test] = {
    Action.ACKNOWLEDGE: lambda who: (
        who.participant not in (ParticipantState.ACKNOWLEDGED, ParticipantState.JOINED)
    ),
    Action.JOIN: lambda who: who.participant != ParticipantState.JOINED,
    Action.DECLINE: lambda who: who.participant in AWAITED,
    Action.LEAVE: lambda who: who.participant == ParticipantState.JOINED,
    Action.TAKE_COMMAND: lambda who: (
        not (who.commander and who.participant == ParticipantState.JOINED)
    ),
    Action.RAISE_TIER: lambda who: not who.lowest_tier,
}
"""What makes no sense for this person now is not offered; the operations refuse it in words."""


def refusal_of(action: Action, who: Standing) -> str:
    """Why this person may not do it, or nothing."""
    test, sentence = RIGHTS.get(action, RESPOND)
    return "" if test(who) else str(sentence)


def may(action: Action, who: Standing) -> bool:
    useful: Any = USEFUL.get(action)
    return not refusal_of(action, who) and (useful is None or useful(who))
