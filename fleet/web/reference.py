"""The shipped tables, to read: what the codes and limits mean and where they come from."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from fleet.models import EventClass, FailureClass, FaultCode, Indicator, ReferenceVersion

PAGE = 100


@login_required
@require_safe
def failure_classes(request: HttpRequest) -> HttpResponse:
    context = {
        "classes": FailureClass.objects.order_by("order"),
        "events": EventClass.objects.order_by("code"),
        "versions": ReferenceVersion.objects.order_by("-loaded_at", "table"),
    }
    return render(request, "fleet/failure_classes.html", context)


@login_required
@require_safe
def fault_codes(request: HttpRequest) -> HttpResponse:
    words, event_class = request.GET.get("q", "").strip(), request.GET.get("event_class", "")
    rows = FaultCode.objects.all()
    if words:
        rows = rows.filter(
            Q(code__icontains=words) | Q(name_en__icontains=words) | Q(name_zh__icontains=words)
        )
    if event_class:
        rows = rows.filter(event_class=event_class)
    page = Paginator(rows.order_by("code"), PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "q": words,
        "event_class": event_class,
        "query": "&" + urlencode({"q": words, "event_class": event_class}),
        "events": EventClass.objects.order_by("code"),
    }
    return render(request, "fleet/fault_codes.html", context)


@login_required
@require_safe
def indicators(request: HttpRequest) -> HttpResponse:
    words, layer = request.GET.get("q", "").strip(), request.GET.get("layer", "")
    rows = Indicator.objects.all()
    if words:
        rows = rows.filter(
            Q(code__icontains=words)
            | Q(metric_name__icontains=words)
            | Q(name_en__icontains=words)
            | Q(name_zh__icontains=words)
        )
    if layer:
        rows = rows.filter(layer=layer)
    page = Paginator(rows.order_by("code"), PAGE).get_page(request.GET.get("page"))
    layers = Indicator.objects.order_by("layer").values_list("layer", flat=True).distinct()
    context = {"page": page, "q": words, "layer": layer, "layers": layers}
    context["query"] = "&" + urlencode({"q": words, "layer": layer})
    return render(request, "fleet/indicators.html", context)
