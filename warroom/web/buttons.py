"""Which buttons a person sees: one primary, a few beside it, the rest under More."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from warroom.queries import Row
from warroom.states import LIVE, Action, ParticipantState
from warroom.states.fields import FIELDS

ICONS = {
    Action.ACKNOWLEDGE: "eye-check",
    Action.JOIN: "login-2",
    Action.DECLINE: "user-x",
    Action.LEAVE: "logout",
    Action.TAKE_COMMAND: "speakerphone",
    Action.ASSIGN: "user-plus",
    Action.HAND_OVER: "arrows-exchange",
    Action.ACCEPT: "check",
    Action.REFUSE: "x",
    Action.RAISE_TIER: "arrow-big-up-line",
    Action.CONFIRM_ROOT: "target",
    Action.RECLASSIFY: "category",
    Action.MARK_RESTORED: "heart-check",
    Action.REVOKE_RESTORED: "arrow-back-up",
    Action.STAND_DOWN: "door-exit",
    Action.REOPEN: "door-enter",
    Action.FALSE_ALARM: "bell-off",
    Action.PROMOTE: "flame",
    Action.REJECT: "trash",
}
LABELS: dict[Action, Promise] = {
    Action.RAISE_TIER: _("Raise to tier 2"),
    Action.PROMOTE: _("Open the war room"),
    Action.REJECT: _("Reject the proposal"),
    Action.FALSE_ALARM: _("Close as false alarm"),
}
DANGEROUS = {Action.STAND_DOWN, Action.FALSE_ALARM, Action.REJECT, Action.REVOKE_RESTORED}
BESIDE = 2
BESIDE_ORDER = (
    Action.DECLINE,
    Action.REJECT,
    Action.REFUSE,
    Action.MARK_RESTORED,
    Action.RAISE_TIER,
    Action.HAND_OVER,
    Action.REVOKE_RESTORED,
)
HIDDEN = {Action.NOTE}
"""The composer writes notes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Button:
    action: str
    label: str
    icon: str
    asks: bool
    dangerous: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    primary: Button | None
    beside: list[Button]
    more: list[Button]


def button(action: Action) -> Button:
    return Button(
        action=action.value,
        label=str(LABELS.get(action, action.label)),
        icon=ICONS.get(action, "point"),
        asks=bool(FIELDS[action]) and action != Action.JOIN,
        dangerous=action in DANGEROUS,
    )


def bar(row: Row) -> Bar:
    allowed = [action for action in row.allowed_actions if action not in HIDDEN]
    first = primary(row)
    beside = [action for action in BESIDE_ORDER if action in allowed and action != first][:BESIDE]
    more = [action for action in allowed if action != first and action not in beside]
    return Bar(
        primary=button(first) if first else None,
        beside=[button(action) for action in beside],
        more=[button(action) for action in more],
    )


def for_phone(row: Row) -> list[Button]:
    """What one thumb needs beside the primary button: can't, refuse, hand over."""
    wanted = (Action.REFUSE, Action.DECLINE, Action.HAND_OVER)
    first = primary(row)
    return [button(one) for one in wanted if one in row.allowed_actions and one != first]


def primary(row: Row) -> Action | None:
    """What this person should do next, by what the incident waits for."""
    allowed = row.allowed_actions
    wanted = [Action.ACCEPT, Action.PROMOTE]
    if row.incident.state in LIVE:
        wanted += [Action.JOIN] if not _here(row) else []
        wanted += [Action.TAKE_COMMAND] if row.incident.commander is None else []
        wanted += [Action.CONFIRM_ROOT] if row.incident.root_confirmed_by_id is None else []
        wanted += [Action.MARK_RESTORED]
    else:
        wanted += [Action.STAND_DOWN, Action.JOIN]
    return next((action for action in wanted if action in allowed), None)


def _here(row: Row) -> bool:
    return row.mine is not None and row.mine.state == ParticipantState.JOINED
