"""What each action of an incident takes. One table for pages, API and its schema."""

from dataclasses import dataclass

from warroom.states.incidents import Action
from warroom.states.rooms import ImpactKind, Role


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """
    One value of an action. `kind`: text (many lines), word (one line), user (a username or an
    id), tier, instant, choice, jobs (rows of a stand-down).
    """

    kind: str = "text"
    required: bool = True
    choices: tuple[str, ...] = ()
    longest: int = 4000


REASON = Field()
MAYBE = Field(required=False)
FIELDS: dict[Action, dict[str, Field]] = {
    Action.ACKNOWLEDGE: {},
    Action.JOIN: {"role": Field(kind="word", required=False, longest=24)},
    Action.DECLINE: {"reason": MAYBE},
    Action.LEAVE: {},
    Action.TAKE_COMMAND: {},
    Action.ASSIGN: {
        "role": Field(kind="choice", choices=tuple(Role.values)),
        "user": Field(kind="user"),
    },
    Action.HAND_OVER: {"to": Field(kind="user"), "note": MAYBE},
    Action.ACCEPT: {},
    Action.REFUSE: {"reason": REASON},
    Action.RAISE_TIER: {"tier": Field(kind="tier"), "reason": REASON},
    Action.CONFIRM_ROOT: {
        "path": Field(kind="word", required=False, longest=300),
        "reason": MAYBE,
    },
    Action.RECLASSIFY: {"failure_class": Field(kind="word", longest=16), "reason": MAYBE},
    Action.NOTE: {"text": Field(longest=20_000)},
    Action.MARK_RESTORED: {
        "job_id": Field(kind="word", required=False, longest=200),
        "reason": MAYBE,
    },
    Action.REVOKE_RESTORED: {"reason": REASON},
    Action.STAND_DOWN: {
        "occurred_at": Field(kind="instant", required=False),
        "impact": Field(kind="choice", required=False, choices=tuple(ImpactKind.values)),
        "what_restored": MAYBE,
        "root_unknown_reason": MAYBE,
        "jobs": Field(kind="jobs", required=False),
        "override_reason": MAYBE,
    },
    Action.REOPEN: {"reason": REASON},
    Action.FALSE_ALARM: {"reason": REASON},
    Action.PROMOTE: {},
    Action.REJECT: {"reason": REASON},
}
"""`impact` is the kind of impact; `jobs` holds {job_id, checkpoint_step, lost_steps, waiver?}."""
