from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from alerts.operations import sources as operations
from alerts.queries.sources import source_rows, unknown_senders, visible_sources
from alerts.web.forms import NewSourceForm
from core.errors import Invalid, NotAllowed
from people.http import Request


@login_required
@require_safe
def sources(request: Request) -> HttpResponse:
    return _page(request, NewSourceForm())


@login_required
@require_POST
def create(request: Request) -> HttpResponse:
    """The answer shows the key: it is kept nowhere and cannot be asked for again."""
    _only_administrators(request)
    form = NewSourceForm(request.POST)
    if not form.is_valid():
        return _page(request, form, status=400)
    try:
        source, key = operations.create(by=request.user, at=timezone.now(), **form.cleaned_data)
    except Invalid as refusal:
        for name, texts in refusal.fields.items():
            form.add_error(name if name in form.fields else None, texts)
        return _page(request, form, status=400)
    return _page(request, NewSourceForm(), made=source, key=key, status=201)


@login_required
@require_POST
def new_key(request: Request, pk: int) -> HttpResponse:
    _only_administrators(request)
    if not visible_sources(request.user).filter(pk=pk).exists():
        raise Http404
    source, key = operations.new_key(source_id=pk, by=request.user, at=timezone.now())
    return _page(request, NewSourceForm(), made=source, key=key, status=201)


def _only_administrators(request: Request) -> None:
    if "admin" not in request.user.scopes:
        raise NotAllowed(_("Only an administrator may make sources and keys."))


def _page(request: Request, form: NewSourceForm, status: int = 200, **made: Any) -> HttpResponse:
    administrator = "admin" in request.user.scopes
    context = {
        "rows": source_rows(request.user, at=timezone.now()),
        "unknown": unknown_senders() if administrator else [],
        "form": form,
        "base_url": settings.BASE_URL,
        "administrator": administrator,
        **made,
    }
    return render(request, "alerts/sources.html", context, status=status)
