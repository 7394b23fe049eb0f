"""What base.html needs on every page."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils import timezone

from core import queries, registry
from core.registry import MenuEntry
from core.web import pulse

PHONE_ENTRIES = 4  # thumbs reach five places at the foot of a phone; the fifth is "More"
INBOX = "inbox"  # the entry of this key is the bell beside the person, not a place in the row


def site(request: HttpRequest) -> dict[str, Any]:
    """Cheap for fragments: htmx asks for parts of a page, which have no frame."""
    now = timezone.now()
    common = {"site": queries.site(), "now": now}
    if request.headers.get("HX-Request"):
        return common
    return {**common, **_frame(request, now)}


def _frame(request: HttpRequest, now: datetime) -> dict[str, Any]:
    user = getattr(request, "user", None)
    inbox = registry.menu.get(INBOX)
    menu = _entries([e for e in registry.menu if e is not inbox], user, request.path)
    return {
        "live_url": settings.LIVE_URL,
        "server_ms": int(now.timestamp() * 1000),
        "pulse": pulse.read(now),
        "menu": menu,
        "phone_menu": menu[:PHONE_ENTRIES],
        "inbox": next(iter(_entries([inbox] if inbox else [], user, request.path)), None),
        "settings_menu": _entries(registry.settings_pages, user, request.path),
    }


def _entries(entries: Iterable[MenuEntry], user: Any, path: str) -> list[dict[str, Any]]:
    if user is None or not user.is_authenticated:
        return []
    return [
        {
            "label": entry.label,
            "url": url,
            "icon": entry.icon.removeprefix("ti-"),
            "active": path == url or (url != "/" and path.startswith(entry.prefix or url)),
            "badge": entry.badge(user) if entry.badge else 0,
        }
        for entry in sorted(entries, key=lambda entry: entry.order)
        if (url := _url_of(entry)) and (not entry.role or user.at_least(entry.role))
    ]


def _url_of(entry: MenuEntry) -> str:
    try:
        return reverse(entry.url_name)
    except NoReverseMatch:
        return ""
