"""The viewer's language and zone; refusals of pages as sentences."""

from collections.abc import Callable
from zoneinfo import ZoneInfo

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils import timezone, translation

from core.errors import Refused

Next = Callable[[HttpRequest], HttpResponseBase]


class LocaleAndZone:
    """The person's own choice first, then the cookie, then what the browser asks for."""

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        language = _language(request)
        translation.activate(language)
        request.LANGUAGE_CODE = language
        user = getattr(request, "user", None)
        zone = getattr(user, "time_zone", "") or settings.SITE_ZONE
        with timezone.override(ZoneInfo(str(zone))):
            response = self.get_response(request)
        response.headers.setdefault("Content-Language", language)
        translation.deactivate()
        return response


def _language(request: HttpRequest) -> str:
    known = dict(settings.LANGUAGES)
    chosen = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "")
    if chosen in known:
        return chosen
    own = getattr(request.user, "language", "") if request.path[:5] != "/api/" else ""
    if own in known:
        return own
    return translation.get_language_from_request(request)


class Refusals:
    """A refusal that no view turned into something better becomes a page with its sentence."""

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, Refused):
            return None
        template = "components/refusal.html" if request.headers.get("HX-Request") else "409.html"
        return render(request, template, {"refusal": error}, status=error.status)
