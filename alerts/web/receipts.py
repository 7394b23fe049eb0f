import uuid

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from alerts.operations import receipts as operations
from alerts.queries.filters import ReceiptFilter
from alerts.queries.receipts import body_text, incidents_of, source_names, visible_receipts
from alerts.web.forms import ReceiptFilterForm
from core.errors import Invalid, NotAllowed
from people.http import Request

PAGE = 50
# Failed bodies come first, so that pages are numbered; nobody reads past these.
MOST_PAGES = 200


@login_required
@require_safe
def receipts(request: Request) -> HttpResponse:
    chosen = ReceiptFilter(request.GET, queryset=visible_receipts(request.user))
    if not chosen.is_valid():
        raise Invalid(_("This filter cannot be read."), fields=dict(chosen.errors))
    number = (
        min(max(int(request.GET.get("page") or 1), 1), MOST_PAGES) if _is_number(request) else 1
    )
    first = (number - 1) * PAGE
    found = list(chosen.qs.failed_first()[first : first + PAGE + 1])
    rows, names, incidents = found[:PAGE], source_names(), incidents_of(found[:PAGE])
    for row in rows:
        row.source_name, row.incidents = names.get(row.source_id, "–"), incidents[row.id]
    context = {
        "rows": rows,
        "form": ReceiptFilterForm(request.GET, user=request.user),
        "older": number + 1 if len(found) > PAGE else None,
        "newer": number - 1 if number > 1 else None,
    }
    template = "alerts/receipts.html#rows" if request.htmx else "alerts/receipts.html"
    return render(request, template, context)


def _is_number(request: Request) -> bool:
    text = request.GET.get("page", "1")
    return text.isdecimal() and len(text) < 6


@login_required
@require_safe
def receipt(request: Request, pk: uuid.UUID) -> HttpResponse:
    found = visible_receipts(request.user).filter(id=pk).first()
    if found is None:
        raise Http404
    text, cut = body_text(found)
    context = {
        "receipt": found,
        "source": source_names().get(found.source_id, "–"),
        "incidents": incidents_of([found])[found.id],
        "alert_ids": found.alert_ids[:50],
        "body": text,
        "cut": cut,
        "may_replay": "manage" in request.user.scopes,
    }
    return render(request, "alerts/receipt.html", context)


@login_required
@require_POST
def replay(request: Request, pk: uuid.UUID) -> HttpResponse:
    if "manage" not in request.user.scopes:
        raise NotAllowed(_("Only a lead or an administrator may parse a body again."))
    if not visible_receipts(request.user).filter(id=pk).exists():
        raise Http404
    operations.replay(receipt_id=pk, by=request.user, at=timezone.now())
    return redirect("alerts:receipt", pk=pk)
