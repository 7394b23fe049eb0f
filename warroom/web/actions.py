"""What people do to an incident from its pages: a question when fields are needed, then the act."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from core.errors import Invalid, Refused
from core.web import answers
from fleet.models import FailureClass
from people.http import Request
from people.models import User
from people.queries import who_see
from people.states import Role as UserRole
from warroom import queries
from warroom.models import Incident
from warroom.operations import actions
from warroom.states import Action, ImpactKind, Role
from warroom.states.fields import FIELDS
from warroom.web import buttons, forms

STATUS_SHOWN = 409  # htmx swaps it; the API tells refusals apart by their own codes


@login_required
@require_safe
def ask(request: Request, number: int, action: str) -> HttpResponse:
    """The dialog of an action: what it needs, and what it does."""
    if action not in Action.values:
        raise Http404
    act = Action(action)
    page = queries.room(number, request.user, timezone.now())
    context = {
        "page": page,
        "incident": page.incident,
        "button": buttons.button(act),
        "fields": FIELDS[act],
        "first_gates": _first(page.gates),
        **_choices(act, page.incident),
    }
    return render(request, "warroom/ask.html", context)


@login_required
@require_POST
def do(request: Request, number: int, action: str) -> HttpResponseBase:
    try:
        actions.take(
            number=number,
            action=action,
            data=forms.action_data(request.POST),
            by=request.user,
            at=timezone.now(),
        )
    except Refused as refusal:
        return refused(request, refusal)
    return _taken(number, action)


def refused(request: Request, refusal: Refused) -> HttpResponse:
    """The sentence, and those of the fields, where the form or the button says."""
    fields = refusal.fields if isinstance(refusal, Invalid) else {}
    sentences = list(dict.fromkeys(text for texts in fields.values() for text in texts))
    context = {"refusal": refusal, "sentences": sentences or [str(refusal)]}
    return render(request, "warroom/refused.html", context, status=STATUS_SHOWN)


def _taken(number: int, action: str) -> HttpResponseBase:
    """Nothing to swap: the page hears that its incident changed, and asks for its panels."""
    response = answers.done(HttpResponse(status=204))
    answers.trigger(response, f"live:incident-{number}", {})
    return answers.toast(response, SAID[Action(action)]()) if Action(action) in SAID else response


SAID = {
    Action.JOIN: lambda: _("You are in the room."),
    Action.DECLINE: lambda: _("Noted: you cannot come. The backup is called now."),
    Action.HAND_OVER: lambda: _("Offered. You stay responsible until it is accepted."),
    Action.ACCEPT: lambda: _("Yours now. Everybody in the room was told."),
    Action.STAND_DOWN: lambda: _("The room stood down. A postmortem draft is being written."),
    Action.MARK_RESTORED: lambda: _("Marked restored."),
}


def _choices(action: Action, incident: Incident) -> dict[str, Any]:
    """What the selects of this action's dialog offer."""
    if action in (Action.HAND_OVER, Action.ASSIGN):
        active = User.objects.active().exclude(role=UserRole.VIEWER).by_name()
        people = who_see(active, region=incident.region, audience_id=incident.audience_id)
        return {"people": people, "roles": Role.choices}
    if action == Action.RECLASSIFY:
        return {"failure_classes": FailureClass.objects.order_by("order")}
    return {"impacts": ImpactKind.choices} if action == Action.STAND_DOWN else {}


def _first(gates: list[queries.Gate]) -> list[queries.Gate]:
    """What the stand-down form cannot fill in, and another action can."""
    return [gate for gate in gates if gate.action not in (Action.STAND_DOWN, Action.MARK_RESTORED)]
