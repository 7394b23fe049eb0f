"""The shelf, one procedure to read or print, and its runs."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from people.http import Request
from sops import queries
from sops.models import ProcedureVersion
from sops.queries.library import rows_of

PAGE = 50


@login_required
@require_safe
def shelf(request: Request) -> HttpResponse:
    return render(request, "sops/library.html", {"rows": queries.library(request.user)})


@login_required
@require_safe
def read(request: Request, code: str) -> HttpResponse:
    version = _version(code, request.GET.get("version", ""))
    newest = _version(code, "")
    context = {"version": version, "text": version.text, "newest": newest}
    return render(request, "sops/procedure.html", context)


@login_required
@require_safe
def runs(request: Request, code: str) -> HttpResponse:
    version = _version(code, "")
    page = Paginator(queries.history(code.upper(), request.user), PAGE).get_page(
        request.GET.get("page")
    )
    context = {
        "version": version,
        "text": version.text,
        "page": page,
        "rows": rows_of(list(page.object_list), timezone.now()),
        "times": queries.step_times(version, request.user),
    }
    return render(request, "sops/runs.html", context)


def _version(code: str, number: str) -> ProcedureVersion:
    published = ProcedureVersion.objects.published().select_related("procedure")
    chosen = published.filter(procedure=code.upper()).order_by("-number")
    if number.isdigit():
        chosen = chosen.filter(number=int(number))
    version = chosen.first()
    if version is None:
        raise Http404
    return version
