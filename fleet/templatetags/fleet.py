"""Squares of the fleet, wherever one is drawn: map, board, room."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import template
from django.utils.translation import gettext_lazy as _

from fleet.states import State

register = template.Library()

SUPERNODES = 32  # squares of a grid that names no other number
SQUARE_CLASSES = {
    "ok": "",
    "down": "cell-bad",
    "root": "cell-bad",
    "hit": "cell-warn",
    "degraded": "cell-warn",
    "suspect": "cell-warn",
    "spare": "cell-spare",
    "out": "cell-out",
}
SQUARE_WORDS = {
    "ok": _("in service"),
    "down": _("down"),
    "root": _("suspected root"),
    "hit": _("affected"),
    "degraded": _("degraded"),
    "suspect": _("suspect"),
    "spare": _("spare"),
    "out": _("out of service"),
}
STATE_CLASSES = {
    State.IN_SERVICE: "",
    State.SUSPECT: "cell-warn",
    State.ISOLATED: "cell-bad",
    State.REPAIR: "cell-bad",
    State.BURN_IN: "cell-out",
    State.PROBATION: "cell-warn",
    State.SPARE: "cell-spare",
    State.RETIRED: "cell-out",
}
PILL_CLASSES = {
    "": "pill-ok",
    "cell-warn": "pill-amber",
    "cell-bad": "pill-red",
    "cell-spare": "pill-info",
    "cell-out": "",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Square:
    name: str
    css: str
    word: Any


@register.filter
def square_class(state: str) -> str:
    return SQUARE_CLASSES.get(state, "")


@register.filter
def square_word(state: str) -> Any:
    return SQUARE_WORDS.get(state, state)


@register.filter
def state_class(state: str) -> str:
    return STATE_CLASSES.get(State(state), "") if state in State.values else ""


@register.filter
def state_pill(state: str) -> str:
    return PILL_CLASSES[state_class(state)]


@register.filter
def state_word(state: str) -> Any:
    return State(state).label if state in State.values else state


@register.inclusion_tag("fleet/supernode_grid.html")
def supernode_grid(states: Mapping[str, str], names: list[str] | None = None) -> dict[str, Any]:
    """
    A small grid of supernodes: `{"sn12": "root", "sn11": "hit"}`; the others are quiet.

    `names` lists all squares; without it, sn01 to sn32.
    """
    shown = names or [f"sn{number:02d}" for number in range(1, SUPERNODES + 1)]
    squares = [
        Square(
            name=name,
            css=SQUARE_CLASSES.get(states.get(name, "ok"), ""),
            word=SQUARE_WORDS.get(states.get(name, "ok"), states.get(name, "")),
        )
        for name in [*shown, *(extra for extra in sorted(states) if extra not in shown)]
    ]
    return {"squares": squares}
