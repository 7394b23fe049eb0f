"""A panel whose topics did not change since this reader last got it answers 304 before any query."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.cache import patch_cache_control
from django.utils.http import quote_etag

from core import live

View = Callable[..., HttpResponse]


def unless_unchanged(*topics: str) -> Callable[[View], View]:
    """
    For a GET panel that shows only what `topics` tell of; `{number}` is filled from the address.

    Without the bus, and for a topic that never changed, the panel is always drawn.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def panel(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            tag = _tag(request, [topic.format(**kwargs) for topic in topics])
            if tag and request.headers.get("If-None-Match") == tag:
                return HttpResponseNotModified(headers={"ETag": tag})
            response = view(request, *args, **kwargs)
            if tag and response.status_code == 200:
                response.headers["ETag"] = tag
                patch_cache_control(response, private=True, no_cache=True)
            return response

        return panel

    return decorate


def _tag(request: HttpRequest, topics: list[str]) -> str:
    """The reader, the language and the version of each topic; empty when nobody can know."""
    versions = live.versions(topics)
    if not versions or not all(versions.values()):
        return ""
    parts = [request.user.pk, request.session.session_key, getattr(request, "LANGUAGE_CODE", "")]
    return quote_etag("-".join(str(part) for part in [*parts, *versions.values()]))
