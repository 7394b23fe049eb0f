"""Error pages: what happened, what is safe, what to try. Never a traceback."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "403.html", {"reason": str(exception)}, status=403)


def no_csrf(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form from another site, or from a page that is older than the last sign-in."""
    sentence = _("This page is out of date. Load it again; what you wrote is kept in this browser.")
    return render(request, "403.html", {"reason": sentence}, status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "404.html", status=404)


def broken(request: HttpRequest) -> HttpResponse:
    """Rendered without the request: its user and menu may be what broke."""
    return HttpResponse(render_to_string("500.html"), status=500)
