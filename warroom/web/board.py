"""The board: what burns, the next deadline, and the tiles and panels that other apps put there."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from core import registry
from core.web.fresh import unless_unchanged
from fleet.models import FailureClass
from people.http import Request
from warroom import queries
from warroom.queries import Row, kept
from warroom.states import Action, ParticipantState
from warroom.states.rooms import AWAITED
from warroom.web.forms import DeclareForm

CALLED = (*AWAITED, ParticipantState.NO_ANSWER)
SOON = 6  # lines of "For you"


@login_required
@require_safe
def board(request: Request) -> HttpResponse:
    context = {
        **_incidents(request),
        "kept": kept.kept(request.user, timezone.now()),
        "tiles": registry.panels(registry.board_tiles),
        "main_panels": registry.panels(registry.board_panels, "main"),
        "side_panels": registry.panels(registry.board_panels, "side"),
        "topics": _topics(),
        "declare_form": DeclareForm(),
        **_waiting(request),
    }
    return render(request, "warroom/board.html", context)


@login_required
@require_safe
@unless_unchanged("board")
def incidents_panel(request: Request) -> HttpResponse:
    return render(request, "warroom/board.html#incidents", _incidents(request))


@login_required
@require_safe
@unless_unchanged("board")
def tiles(request: Request) -> HttpResponse:
    context = {**_incidents(request), "kept": kept.kept(request.user, timezone.now())}
    return render(request, "warroom/board.html#own_tiles", context)


@login_required
@require_safe
def for_you(request: Request) -> HttpResponse:
    return render(request, "warroom/board.html#for_you", _waiting(request))


def _incidents(request: Request) -> dict[str, Any]:
    board = queries.board(request.user, timezone.now())
    rows = [(row, _is_called(row)) for row in board.rows]
    return {"board": board, "rows": rows, "classes": class_names()}


def _is_called(row: Row) -> bool:
    """Whether this reader was asked and has not joined: then the line says Join, else Enter."""
    return Action.JOIN in row.allowed_actions and row.mine is not None and row.mine.state in CALLED


def _waiting(request: Request) -> dict[str, Any]:
    now = timezone.now()
    found = [one for ask in registry.waits_for for one in ask(request.user, now)]
    found.sort(key=lambda one: (one.due_at is None, one.due_at or one.since or now))
    return {"waiting": found[:SOON], "waiting_more": max(0, len(found) - SOON)}


def _topics() -> str:
    panels = [*registry.board_tiles, *registry.board_panels]
    return " ".join(sorted({"board", *(panel.topic for panel in panels if panel.topic)}))


def class_names() -> dict[str, str]:
    return {one.code: one.name for one in FailureClass.objects.order_by("order")}
