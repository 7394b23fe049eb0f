from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from core.errors import Refused
from core.models import Change
from people.http import Request
from people.operations import responsibilities, rosters
from people.queries import duty, matrix, week
from people.states import Condition, Letter, Role
from people.web.forms import OverrideForm

LAST_CHANGES = 10


@login_required
@require_safe
def duty_page(request: Request) -> HttpResponse:
    return _duty(request, "people/duty.html", form=OverrideForm())


@login_required
@require_safe
def duty_now(request: Request) -> HttpResponse:
    return _duty(request, "people/duty.html#now")


@login_required
@require_safe
def duty_panel(request: Request) -> HttpResponse:
    """On duty now, for the board: gaps first."""
    duties = _own(request, duty.duties_now(timezone.now()))
    duties.sort(key=lambda one: bool(one.primary))
    return render(request, "people/duty_panel.html", {"duties": duties})


@login_required
@require_POST
def override_add(request: Request) -> HttpResponse:
    form = OverrideForm(request.POST)
    if not form.is_valid():
        return render(request, "people/duty.html#override", {"form": form}, status=422)
    data = form.cleaned_data
    try:
        rosters.substitute(
            roster_id=data["roster"].pk,
            slot=data["slot"],
            user_id=data["user"].pk,
            starts_at=data["starts_at"],
            ends_at=data["ends_at"],
            reason=data["reason"],
            by=request.user,
            at=timezone.now(),
        )
    except Refused as refusal:
        context = {"form": form, "refusal": refusal}
        return render(request, "people/duty.html#override", context, status=refusal.status)
    return HttpResponse(status=204, headers={"HX-Refresh": "true"})


@login_required
@require_POST
def override_end(request: Request, pk: int) -> HttpResponse:
    rosters.end_substitution(override_id=pk, by=request.user, at=timezone.now())
    return HttpResponse(status=204, headers={"HX-Refresh": "true"})


@login_required
@require_safe
def matrix_page(request: Request) -> HttpResponse:
    return render(request, "people/matrix.html", _grid(request))


@login_required
@require_safe
def matrix_grid(request: Request) -> HttpResponse:
    return render(request, "people/matrix.html#grid", _grid(request))


@login_required
@require_POST
def matrix_cell(request: Request) -> HttpResponse:
    try:
        responsibilities.set_cell(
            failure_class=request.POST.get("failure_class", ""),
            domain=request.POST.get("domain", ""),
            letter=request.POST.get("letter", ""),
            condition=request.POST.get("condition", ""),
            version=int(request.POST.get("version") or 0),
            by=request.user,
            at=timezone.now(),
        )
    except Refused as refusal:
        context = {**_grid(request), "refusal": refusal}
        answer = render(request, "people/matrix.html#grid", context, status=refusal.status)
    else:
        answer = render(request, "people/matrix.html#grid", _grid(request))
    answer["HX-Trigger"] = "done"  # the dialog closes, the grid says what is so
    return answer


def _duty(request: Request, template: str, **extra: Any) -> HttpResponse:
    now = timezone.now()
    context = {
        "duties": _own(request, duty.duties_now(now)),
        "last_resort": duty.last_resort(),
        "week": week.ahead(at=now, zone=request.user.zone, regions=request.user.regions),
        "overrides": duty.overrides_ahead(now),
        "zone": request.user.time_zone,
    }
    return render(request, template, {**context, **extra})


def _own(request: Request, duties: list[duty.Duty]) -> list[duty.Duty]:
    regions = request.user.regions
    return [one for one in duties if not regions or not one.region or one.region in regions]


def _grid(request: Request) -> dict[str, Any]:
    now = timezone.now()
    names = matrix.failure_class_names()
    domains = matrix.columns()
    rows = matrix.grid(list(names), duty.duties_now(now), domains)
    changed = Change.objects.filter(target__startswith="responsibility:").select_related("actor")
    return {
        "rows": [(row, names.get(row.failure_class, "")) for row in rows],
        "domains": domains,
        "letters": Letter,
        "conditions": Condition,
        "red": sum(cell.red for row in rows for cell in row.cells),
        "may_edit": request.user.at_least(Role.LEAD),
        "changes": changed.order_by("-at", "-pk")[:LAST_CHANGES],
    }
