"""`/components/`: every shared piece in every state, for whoever builds pages, and for the tests."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from core.web import answers


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleClock:
    kind: str
    state: str
    started_at: datetime
    due_at: datetime
    met_at: datetime | None = None


class SampleForm(forms.Form):
    title = forms.CharField(
        label=gettext_lazy("Title"),
        help_text=gettext_lazy("What is broken, in a few words."),
        widget=forms.TextInput(attrs={"class": "form-control"}),
    )
    tier = forms.ChoiceField(
        label=gettext_lazy("Tier"),
        choices=[("3", gettext_lazy("Tier 3")), ("2", gettext_lazy("Tier 2"))],
        widget=forms.Select(attrs={"class": "form-select"}),
    )


@login_required
@require_safe
def components(request: HttpRequest) -> HttpResponse:
    return render(request, "components/gallery.html", _samples(timezone.now()))


@login_required
@require_safe
def panel(request: HttpRequest) -> HttpResponse:
    return render(request, "components/gallery.html#panel", {"now": timezone.now()})


@login_required
@require_POST
def refused(request: HttpRequest) -> HttpResponse:
    sentence = _("Too late: Lin Wei accepted it 20 s ago. Ask Lin Wei to hand it over.")
    return render(request, "components/refusal.html", {"refusal": sentence}, status=409)


@login_required
@require_POST
def done(request: HttpRequest) -> HttpResponseBase:
    response = HttpResponse(status=204)
    return answers.toast(answers.done(response), _("Hidden for you."), undo_url=request.path)


def _samples(now: datetime) -> dict[str, Any]:
    return {
        "clocks": [
            _clock(now, passed=0.2),
            _clock(now, passed=0.73),
            _clock(now, passed=0.95),
            _clock(now, passed=1.2, state="breached"),
            _clock(now, passed=0.9, state="met", met=0.62),
            _clock(now, passed=1.4, state="met_late", met=1.3),
            _clock(now, passed=0.4, state="cancelled"),
        ],
        "restore": _clock(now, passed=0.35, kind="restore", minutes=120),
        "form": SampleForm({"title": "", "tier": "3"}),
        "filters": SampleForm(),
        "columns": [
            {"label": _("Incident"), "key": "number", "num": False},
            {"label": _("Alerts"), "key": "alerts", "num": True},
        ],
        "rows": [(2041, 2304), (2043, 41), (2039, 12)],
        "people": ["Lin Wei", "Zhao Min", "孙磊", "Chen Yu"],
        "long_ago": now - timedelta(days=40),
        "just_now": now - timedelta(minutes=3),
        "chart": _chart(),
    }


def _clock(
    now: datetime,
    *,
    passed: float,
    state: str = "running",
    met: float | None = None,
    kind: str = "assemble",
    minutes: int = 10,
) -> SampleClock:
    length = timedelta(minutes=minutes)
    start = now - length * passed
    met_at = start + length * met if met else None
    return SampleClock(
        kind=kind, state=state, started_at=start, due_at=start + length, met_at=met_at
    )


def _chart() -> dict[str, Any]:
    return {
        "grid": {"left": 48, "right": 12, "top": 12, "bottom": 28},
        "xAxis": {"type": "category", "data": [f"02:{n:02}" for n in range(0, 60, 5)]},
        "yAxis": {"type": "value", "name": ""},
        "tooltip": {"trigger": "axis"},
        "series": [{"type": "bar", "data": [4, 3, 2304, 310, 9, 4, 6, 2, 8, 5, 3, 7]}],
    }
