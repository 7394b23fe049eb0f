"""The SOP panel of the room: one fragment, which answers its own buttons."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from core.errors import Invalid, Refused
from people.http import Request
from people.queries import visible
from sops import queries
from sops.models import Run
from sops.operations import actions, runs
from sops.states import Action

NEEDS_STEP = {Action.DONE, Action.FAIL, Action.RETRY, Action.SKIP, Action.BRANCH}


@login_required
@require_safe
def panel(request: Request, number: int) -> HttpResponse:
    return _render(request, number)


@login_required
@require_POST
def start(request: Request, number: int) -> HttpResponse:
    code = request.POST.get("failure_class", "")
    try:
        runs.start(number=number, failure_class=code, by=request.user, at=timezone.now())
    except Refused as refusal:
        return _refused(request, number, refusal)
    return _render(request, number)


@login_required
@require_POST
def act(request: Request, number: int, run_id: int) -> HttpResponse:
    seen = visible(Run.objects.filter(pk=run_id, incident_number=number), request.user)
    if not seen.exists():
        raise Http404
    try:
        action, data = _asked(request)
        actions.take(run_id=run_id, action=action, data=data, by=request.user, at=timezone.now())
    except Refused as refusal:
        return _refused(request, number, refusal)
    return _render(request, number)


def _asked(request: Request) -> tuple[str, dict[str, Any]]:
    """The button's action; a decision's button names only where it leads."""
    post = request.POST
    action = "branch" if post.get("to") else post.get("action", "")
    if action not in Action.values:
        raise Invalid(gettext("That is nothing a step can do."))
    step = post.get("step", "")
    if not step.isdigit() and action in NEEDS_STEP:
        raise Invalid(gettext("Name the step."))
    data = {
        "step": int(step) if step.isdigit() else None,
        "note": post.get("note", "").strip(),
        "reason": post.get("note", "").strip(),
        "output": post.get("output", ""),
        "to": post.get("to", ""),
    }
    return action, data


def _refused(request: Request, number: int, refusal: Refused) -> HttpResponse:
    step = request.POST.get("step", "")
    return _render(
        request,
        number,
        status=refusal.status,
        refusal=str(refusal),
        refused_step=int(step) if step.isdigit() else 0,
        note=request.POST.get("note", ""),
        output=request.POST.get("output", ""),
    )


def _render(request: Request, number: int, status: int = 200, **extra: str | int) -> HttpResponse:
    view = queries.panel(number, request.user, timezone.now())
    if view is None:
        raise Http404
    blank: dict[str, str | int] = {"refusal": "", "refused_step": 0, "note": "", "output": ""}
    return render(request, "sops/panel.html", {**blank, "panel": view, **extra}, status=status)
