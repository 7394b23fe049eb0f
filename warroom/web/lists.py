"""The list of incidents, and declaring one."""

from datetime import datetime
from typing import Any

from django.contrib.auth.decorators import login_required
from django.db.models import Q, QuerySet
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from core.errors import Refused
from people.http import Request
from warroom import queries
from warroom.models import Incident
from warroom.operations import incidents as operations
from warroom.web.actions import refused
from warroom.web.board import class_names
from warroom.web.forms import DeclareForm, FilterForm

PAGE = 50
EXPORT = "/api/v1/incidents/export.csv"
COLUMNS = [
    {"label": _("Incident"), "key": "", "num": False},
    {"label": _("Tier"), "key": "", "num": False},
    {"label": _("State"), "key": "", "num": False},
    {"label": _("Opened"), "key": "", "num": False},
    {"label": _("Assemble"), "key": "", "num": False},
    {"label": _("Restore"), "key": "", "num": False},
    {"label": _("Owner"), "key": "", "num": False},
    {"label": _("Alerts"), "key": "", "num": True},
]


@login_required
@require_safe
def incidents(request: Request) -> HttpResponse:
    form = FilterForm(request.GET)
    found = queries.incident_list(request.user, form.filters())
    page, older = _page(found, request.GET.get("cursor", ""))
    context: dict[str, Any] = {
        "form": form,
        "rows": [queries.row(one, request.user) for one in page],
        "classes": class_names(),
        "columns": COLUMNS,
        "older": older,
        "declare_form": DeclareForm(),
        "export_url": f"{EXPORT}?{request.GET.urlencode()}",
    }
    template = "warroom/incidents.html#rows" if request.htmx else "warroom/incidents.html"
    return render(request, template, context)


def _page(found: QuerySet[Incident], cursor: str) -> tuple[list[Incident], str]:
    """One page from `cursor` on (instant~number of the last line before), and the next cursor."""
    at, _, number = cursor.partition("~")
    try:
        opened_at = datetime.fromisoformat(at)
        below = Q(opened_at=opened_at, number__lt=int(number)) | Q(opened_at__lt=opened_at)
    except ValueError:
        below = Q()
    page = list(found.filter(below)[: PAGE + 1])
    last = page[PAGE - 1] if len(page) > PAGE else None
    return page[:PAGE], f"{last.opened_at.isoformat()}~{last.number}" if last else ""


@login_required
@require_POST
def declare(request: Request) -> HttpResponse:
    try:
        incident = operations.declare(data=request.POST.dict(), by=request.user, at=timezone.now())
    except Refused as refusal:
        return refused(request, refusal)
    return HttpResponseClientRedirect(reverse("warroom:incident", args=[incident.number]))
