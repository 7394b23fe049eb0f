"""What base.html needs on every page."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone

from core import queries, registry


def site(request: HttpRequest) -> dict[str, Any]:
    """Cheap for fragments: htmx asks for parts of a page, which have no frame."""
    now = timezone.now()
    common = {"site": queries.site(), "now": now}
    if request.headers.get("HX-Request"):
        return common
    user = getattr(request, "user", None)
    entries = _entries(registry.menu, user, request.path)
    return {
        **common,
        "live_url": settings.LIVE_URL,
        "server_ms": int(now.timestamp() * 1000),
        "sweep_age": queries.sweep_age(now),
        "menu": entries,
        "settings_menu": _entries(registry.settings_pages, user, request.path),
    }


def _entries(entries: Any, user: Any, path: str) -> list[dict[str, Any]]:
    if user is None or not user.is_authenticated:
        return []
    return [
        {
            "label": entry.label,
            "url_name": entry.url_name,
            "icon": entry.icon,
            "active": bool(entry.prefix) and path.startswith(entry.prefix),
            "badge": entry.badge(user) if entry.badge else 0,
        }
        for entry in sorted(entries, key=lambda entry: entry.order)
        if not entry.role or entry.role == user.role or user.role == "admin"
    ]
