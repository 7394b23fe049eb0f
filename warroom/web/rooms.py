"""The room of an incident and its phone page: whole, and in the parts that refresh themselves."""

from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from core import registry
from core.web.fresh import unless_unchanged
from people.http import Request
from warroom import queries
from warroom.models import Participant
from warroom.queries import RoomPage, texts
from warroom.states import ParticipantState
from warroom.states.rooms import AWAITED
from warroom.states.titles import root_name
from warroom.web import buttons
from warroom.web.board import class_names

TOPIC = "incident-{number}"
OUTSIDE_THE_TREE = {"line", "job", "monitoring", "unknown"}
SHOWN = 150  # lines of the timeline before "all"
SHOWN_STATES = [ParticipantState.JOINED, *AWAITED, ParticipantState.DECLINED]
PEOPLE_KINDS = [
    "called",
    "nobody_on_duty",
    "asked_again",
    "acknowledged",
    "joined",
    "declined",
    "left",
    "command_taken",
    "assigned",
    "hand_over_offered",
    "hand_over_accepted",
    "hand_over_refused",
    "hand_over_expired",
    "domains_added",
    "domains_dropped",
]
CLOCK_KINDS = [
    "clock_met",
    "assemble_breached",
    "restore_breached",
    "tier_raised",
    "sixty_minutes",
    "safest_restart",
    "state_moved",
    "job_proven",
    "marked_restored",
    "restored_revoked",
]
FILTERS: dict[str, tuple[Any, list[str]]] = {
    "all": (_("All"), []),
    "notes": (_("Notes"), ["note"]),
    "people": (_("People"), PEOPLE_KINDS),
    "clocks": (_("Clocks"), CLOCK_KINDS),
}


@login_required
@require_safe
def room(request: Request, number: int) -> HttpResponse:
    context = {
        **_page(request, number),
        **_lines(request, number),
        "left_panels": registry.panels(registry.room_panels, "left"),
        "middle_panels": registry.panels(registry.room_panels, "middle"),
        "right_panels": registry.panels(registry.room_panels, "right"),
    }
    return render(request, "warroom/room.html", context)


@login_required
@require_safe
@unless_unchanged(TOPIC)
def head(request: Request, number: int) -> HttpResponse:
    return render(request, "warroom/room_head.html", _page(request, number))


@login_required
@require_safe
@unless_unchanged(TOPIC)
def people(request: Request, number: int) -> HttpResponse:
    return render(request, "warroom/room_people.html", _page(request, number))


@login_required
@require_safe
@unless_unchanged(TOPIC)
def damage(request: Request, number: int) -> HttpResponse:
    return render(request, "warroom/room_damage.html", _page(request, number))


@login_required
@require_safe
@unless_unchanged(TOPIC)
def timeline(request: Request, number: int) -> HttpResponse:
    return render(request, "warroom/room_timeline.html", _lines(request, number))


@login_required
@require_safe
def phone(request: Request, number: int) -> HttpResponse:
    return render(request, "warroom/phone.html", _page(request, number))


@login_required
@require_safe
@unless_unchanged(TOPIC)
def phone_card(request: Request, number: int) -> HttpResponse:
    return render(request, "warroom/phone_card.html", _page(request, number))


def _page(request: Request, number: int) -> dict[str, Any]:
    page = queries.room(number, request.user, timezone.now())
    return {
        "page": page,
        "incident": page.incident,
        "is_drill": page.incident.is_drill,
        "bar": buttons.bar(page.row),
        "phone_actions": buttons.for_phone(page.row),
        "root": root_name(page.incident.root),
        "root_url": _fleet_url(page.incident.root),
        "class_name": class_names().get(page.incident.failure_class or "", ""),
        "missing": texts.domain_names(page.row.missing),
        "offers": [(one, _held(one.what)) for one in page.offers],
        "seats": _seats(page, SHOWN_STATES),
        "others": _seats(page, [one for one in ParticipantState if one not in SHOWN_STATES]),
        "squares": _squares(page),
    }


def _seats(page: RoomPage, states: Iterable[str]) -> list[tuple[Participant, str]]:
    return [(one, texts.domain_names(one.domains)) for one in page.people if one.state in states]


def _held(what: list[str]) -> str:
    return ", ".join(texts.WHAT[word]() for word in what)


def _fleet_url(root: dict[str, Any]) -> str:
    """Where the fleet shows it; a line, a job and the monitoring are not in the tree."""
    level, path = str(root.get("level") or "unknown"), str(root.get("path") or "")
    if not path or level in OUTSIDE_THE_TREE:
        return ""
    return f"/fleet/components/{quote(path)}/"


def _squares(page: RoomPage) -> dict[str, str]:
    """The supernode of the root; the map of the fleet has the rest."""
    root = page.incident.root
    paths = [str(path) for path in [root.get("path"), *(root.get("paths") or [])] if path]
    named = [path.split("/")[1] for path in paths if path.count("/") >= 1]
    return {name: "root" for name in named if ":" not in name}


def _lines(request: Request, number: int) -> dict[str, Any]:
    show = request.GET.get("show", "all")
    show = show if show in FILTERS else "all"
    lines = queries.timeline(number, request.user, kinds=FILTERS[show][1])
    lines.reverse()
    everything = "everything" in request.GET
    return {
        "number": number,
        "lines": lines if everything else lines[:SHOWN],
        "hidden": 0 if everything else max(0, len(lines) - SHOWN),
        "everything": everything,
        "show": show,
        "filters": [(key, label) for key, (label, _kinds) in FILTERS.items()],
    }
