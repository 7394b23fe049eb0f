from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.http import require_POST, require_safe

from core.errors import Refused
from notifications import queries
from notifications.adapters import mail, texts
from notifications.models import Channel, Delivery
from notifications.operations import channels, deliveries
from notifications.states import ChannelKind
from people.http import Request

PAGE = 50
LAST_TESTS = 6


@login_required
@require_safe
def inbox(request: Request) -> HttpResponse:
    return _inbox(request, "notifications/inbox.html")


@login_required
@require_safe
def inbox_list(request: Request) -> HttpResponse:
    return _inbox(request, "notifications/inbox.html#list")


@login_required
@require_safe
def inbox_open(request: Request, pk: int) -> HttpResponse:
    """Follow a message to what it is about; having followed it is having read it."""
    delivery = get_object_or_404(Delivery.objects.inbox_of(request.user.pk), pk=pk)
    deliveries.mark_read(person_id=request.user.pk, delivery_id=pk, at=timezone.now())
    return redirect(queries.path_of(delivery))


@login_required
@require_POST
def inbox_read(request: Request, pk: int | None = None) -> HttpResponse:
    deliveries.mark_read(person_id=request.user.pk, delivery_id=pk, at=timezone.now())
    return _inbox(request, "notifications/inbox.html#list")


@login_required
@require_safe
def incident_deliveries(request: Request, number: int) -> HttpResponse:
    context = {**_log(request, number), "number": number}
    return render(request, "notifications/deliveries.html", context)


@login_required
@require_safe
def incident_log(request: Request, number: int) -> HttpResponse:
    context = {**_log(request, number), "number": number}
    return render(request, "notifications/deliveries.html#log", context)


@login_required
@require_safe
def incident_panel(request: Request, number: int) -> HttpResponse:
    context = {**_log(request, number), "number": number}
    return render(request, "notifications/deliveries_panel.html", context)


@login_required
@require_safe
def channel_page(request: Request) -> HttpResponse:
    return _channels(request, "notifications/channels.html")


@login_required
@require_safe
def channel_list(request: Request) -> HttpResponse:
    return _channels(request, "notifications/channels.html#list")


@login_required
@require_POST
def channel_act(request: Request, verb: str, pk: int | None = None) -> HttpResponse:
    """One of add, remove, on, off, first, test; refusals are shown in the list."""
    try:
        _act(request, verb, pk)
    except Refused as refusal:
        return _channels(
            request, "notifications/channels.html#list", status=refusal.status, refusal=refusal
        )
    return _channels(request, "notifications/channels.html#list")


def _act(request: Request, verb: str, pk: int | None) -> None:
    now = timezone.now()
    if verb == "add":
        channels.add(address=request.POST.get("address", "").strip(), by=request.user, at=now)
    elif verb == "test":
        channels.test(slug=request.POST.get("slug", ""), by=request.user, at=now)
    elif verb == "remove":
        channels.remove(channel_id=pk or 0, by=request.user, at=now)
    elif verb == "first":
        channels.put_first(channel_id=pk or 0, by=request.user, at=now)
    else:
        channels.switch(channel_id=pk or 0, enabled=verb == "on", by=request.user, at=now)


def _inbox(request: Request, template: str) -> HttpResponse:
    own = Delivery.objects.inbox_of(request.user.pk)
    rows = list(own.unread_first()[: PAGE + 1])
    context = {
        "messages_": [(delivery, _text(request, delivery)) for delivery in rows[:PAGE]],
        "unread": queries.unread(request.user),
        "more": len(rows) > PAGE,
    }
    return render(request, template, context)


def _text(request: Request, delivery: Delivery) -> texts.Text:
    language = get_language() or request.user.language
    return texts.render(texts.facts_of(delivery), language=language, zone=request.user.zone)


def _log(request: Request, number: int) -> dict[str, Any]:
    seen = queries.deliveries_of(number).visible_to(request.user).prefetch_related("attempts")
    rows = list(seen)
    return {
        "deliveries": rows,
        "counts": queries.counts_of(rows),
        "incident_url": f"/incidents/{number}/",
    }


def _channels(request: Request, template: str, *, status: int = 200, **extra: Any) -> HttpResponse:
    own = Channel.objects.filter(person=request.user).order_by("position", "pk")
    tests = Delivery.objects.filter(person=request.user, template="channel_test")
    tests = tests.exclude(channel=ChannelKind.INBOX).prefetch_related("attempts")
    context = {
        "channels": own,
        "mail_works": mail.configured(),
        "tests": tests.order_by("-requested_at")[:LAST_TESTS],
    }
    return render(request, template, {**context, **extra}, status=status)
