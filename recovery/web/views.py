from datetime import date

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from people.http import Request
from recovery.queries import daily, pages
from recovery.web import charts


@login_required
@require_safe
def latest(request: Request) -> HttpResponse:
    """The day asked for in `?day=`; else today when there was a fault, else yesterday."""
    at = timezone.now()
    wanted = request.GET.get("day", "")
    return redirect("recovery:daily", day=wanted or pages.latest(request.user, at).isoformat())


@login_required
@require_safe
def daily_page(request: Request, day: str) -> HttpResponse:
    at, chosen = timezone.now(), _date(day)
    window = pages.day_of(chosen)
    report, bars = daily.report(window, request.user), pages.bars(window, request.user)
    before, after = pages.neighbours(chosen, at)
    context = {
        "day": chosen,
        "window": window,
        "is_today": chosen == pages.today(at),
        "before": before,
        "after": after,
        "report": report,
        "bars": bars,
        "chart": charts.stages(bars),
        "compare": charts.comparison(report),
        "stages": charts.stage_rows(report),
    }
    return render(request, "recovery/daily.html", context)


@login_required
@require_safe
def tile(request: Request) -> HttpResponse:
    day = pages.day_of(pages.today(timezone.now()))
    return render(request, "recovery/tile.html", {"report": daily.report(day, request.user)})


def _date(day: str) -> date:
    try:
        return pages.date_of(day)
    except ValueError as error:
        raise Http404 from error
