from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe

from people.http import Request
from postmortems.queries import readers
from warroom import queries as rooms

PER_PAGE = 50


@login_required
@require_safe
def listing(request: Request) -> HttpResponse:
    page = Paginator(readers.listed(request.user), PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "postmortems/list.html", {"page": page})


@login_required
@require_safe
def reader(request: Request, pk: int) -> HttpResponse:
    postmortem = get_object_or_404(readers.listed(request.user), pk=pk)
    incident = postmortem.incident
    context = {
        "postmortem": postmortem,
        "incident": incident,
        "sections": readers.sections(postmortem),
        "instants": readers.instants(incident),
        "clocks": readers.clocks(incident),
        "entries": rooms.timeline(incident.number, request.user),
    }
    return render(request, "postmortems/reader.html", context)


@login_required
@require_safe
def of_incident(request: Request, number: int) -> HttpResponse:
    """Where the room's page links to, whether a draft is there or not yet."""
    found = readers.listed(request.user).filter(incident_id=number).first()
    if found:
        return redirect("postmortems:reader", pk=found.pk)
    return render(request, "postmortems/none.html", {"number": number}, status=404)
