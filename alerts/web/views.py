from typing import Any

from django.contrib.auth.decorators import login_required
from django.db.models import Max
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from alerts.queries.alerts import (
    AlertFilter,
    alert_page,
    groups_asked,
    overlay,
    visible_alerts,
    visible_groups,
)
from alerts.queries.groups import GroupFilter, group_page
from alerts.queries.last_hour import last_hour
from alerts.queries.paging import page
from alerts.web.charts import minutes_chart
from alerts.web.forms import AlertFilterForm, GroupFilterForm
from core.errors import Invalid
from people.http import Request

MOST_NEW = 999


@login_required
@require_safe
def alerts(request: Request) -> HttpResponse:
    found = _filtered(request)
    shown = page(found, column="starts_at", cursor=request.GET.get("cursor", ""))
    overlay(shown.rows, groups_asked(request.GET))
    context = {
        "page": shown,
        "form": AlertFilterForm(request.GET, user=request.user),
        "newest": visible_alerts(request.user).aggregate(newest=Max("pk"))["newest"] or 0,
    }
    return render(request, "alerts/alerts.html", context)


@login_required
@require_safe
def new_alerts(request: Request, after: int) -> HttpResponse:
    """How many alerts came since the list was drawn: the pill of the page."""
    fresh = _filtered(request).filter(pk__gt=after).order_by()[:MOST_NEW].count()
    context = {"fresh": fresh, "newest": after, "query": request.GET.urlencode()}
    return render(request, "alerts/alerts.html#pill", context)


def _filtered(request: Request) -> Any:
    """:raises Invalid: for a filter that cannot be read, with the fields."""
    given = request.GET.copy()
    chosen = AlertFilter(given, queryset=visible_alerts(request.user).defer("marks", "terms"))
    if not chosen.is_valid():
        raise Invalid(_("This filter cannot be read."), fields=dict(chosen.errors))
    return chosen.qs


@login_required
@require_safe
def alert(request: Request, pk: int) -> HttpResponse:
    shown = alert_page(request.user, pk)
    if shown is None:
        raise Http404
    return render(request, "alerts/alert.html", {"page": shown, "alert": shown.alert})


@login_required
@require_safe
def groups(request: Request) -> HttpResponse:
    chosen = GroupFilter(request.GET, queryset=visible_groups(request.user))
    if not chosen.is_valid():
        raise Invalid(_("This filter cannot be read."), fields=dict(chosen.errors))
    cursor = request.GET.get("cursor", "")
    shown = page(chosen.qs, column="first_event_at", cursor=cursor)
    context = {"page": shown, "form": GroupFilterForm(request.GET)}
    return render(request, "alerts/groups.html", context)


@login_required
@require_safe
def group(request: Request, pk: int) -> HttpResponse:
    shown = group_page(request.user, pk)
    if shown is None:
        raise Http404
    context = {"page": shown, "group": shown.group, "sections": _sections(shown)}
    template = "alerts/group.html#body" if request.htmx else "alerts/group.html"
    return render(request, template, context)


def _sections(shown: Any) -> list[dict[str, Any]]:
    roles = shown.roles
    return [
        {"slug": "cause", "title": _("Causes"), "alerts": shown.causes, "n": roles.get("cause", 0)},
        {
            "slug": "victim",
            "title": _("Victims"),
            "alerts": shown.victims,
            "n": roles.get("victim", 0),
        },
        {
            "slug": "other",
            "title": _("Others"),
            "alerts": shown.others,
            "n": roles.get("unrelated", 0) + roles.get("unknown", 0),
        },
    ]


@login_required
@require_safe
def hour_panel(request: Request) -> HttpResponse:
    hour = last_hour(request.user, at=timezone.now())
    context = {"hour": hour, "chart": minutes_chart(hour.minutes)}
    return render(request, "alerts/last_hour.html", context)
