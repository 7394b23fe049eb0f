from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from core.errors import NotAllowed, Refused
from fleet import queries
from fleet.http import regions_of
from fleet.models import Component, Job
from fleet.operations import components
from fleet.states import JobState

PAGE = 100


@login_required
@require_safe
def fleet_map(request: HttpRequest) -> HttpResponse:
    page = queries.map_page(regions_of(request.user))
    template = "fleet/map.html#squares" if _is_fragment(request) else "fleet/map.html"
    return render(request, template, {"page": page, "summary": page.summary})


@login_required
@require_safe
def board_panel(request: HttpRequest) -> HttpResponse:
    summary = queries.summary(regions_of(request.user))
    return render(request, "fleet/panel.html", {"summary": summary})


@login_required
@require_safe
def component(request: HttpRequest, path: str) -> HttpResponse:
    return _component(request, path)


@login_required
@require_POST
def component_action(request: HttpRequest, path: str) -> HttpResponse:
    if "manage" not in getattr(request.user, "scopes", ()):
        raise NotAllowed(gettext("Only a lead or an administrator may move a component."))
    try:
        _visible(path, request)
        components.take(
            path=path,
            action=request.POST.get("action", ""),
            reason=request.POST.get("reason", ""),
            by=request.user if request.user.is_authenticated else None,
            at=timezone.now(),
        )
    except Refused as refusal:
        return _component(request, path, status=refusal.status, refusal=str(refusal))
    return _component(request, path)


@login_required
@require_safe
def unregistered(request: HttpRequest) -> HttpResponse:
    rows = Component.objects.visible_in(regions_of(request.user)).unregistered()
    pages = Paginator(rows.order_by("-seen_at", "pk"), PAGE)
    page = pages.get_page(request.GET.get("page"))
    return render(request, "fleet/unregistered.html", {"page": page, "query": ""})


@login_required
@require_safe
def jobs(request: HttpRequest) -> HttpResponse:
    rows = Job.objects.visible_in(regions_of(request.user))
    state = request.GET.get("state", "")
    if state in JobState.values:
        rows = rows.filter(state=state)
    page = Paginator(rows.order_by("priority", "job_id"), PAGE).get_page(request.GET.get("page"))
    context = {"page": page, "state": state, "states": JobState.choices, "query": f"&state={state}"}
    return render(request, "fleet/jobs.html", context)


@login_required
@require_safe
def job(request: HttpRequest, job_id: str) -> HttpResponse:
    page = queries.job_page(job_id, regions_of(request.user))
    if page is None:
        raise Http404
    return render(request, "fleet/job.html", {"page": page, "job": page.job})


def _component(
    request: HttpRequest, path: str, status: int = 200, refusal: str = ""
) -> HttpResponse:
    page = queries.component_page(path, regions_of(request.user))
    if page is None:
        raise Http404
    context = {
        "page": page,
        "component": page.component,
        "refusal": refusal,
        "may_move": "manage" in getattr(request.user, "scopes", ()),
    }
    template = "fleet/component.html#body" if _is_fragment(request) else "fleet/component.html"
    return render(request, template, context, status=status)


def _visible(path: str, request: HttpRequest) -> None:
    if not Component.objects.visible_in(regions_of(request.user)).filter(path=path).exists():
        raise Http404


def _is_fragment(request: HttpRequest) -> bool:
    return bool(request.headers.get("HX-Request"))
