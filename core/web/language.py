"""The language of the pages in this browser. Messages follow the person's own setting."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

YEAR_S = 365 * 86400


@require_POST
def switch(request: HttpRequest) -> HttpResponse:
    back = request.POST.get("next", "/")
    if not url_has_allowed_host_and_scheme(back, allowed_hosts={request.get_host()}):
        back = "/"
    response = HttpResponseRedirect(back)
    language = request.POST.get("language", "")
    if language in dict(settings.LANGUAGES):
        name = settings.LANGUAGE_COOKIE_NAME
        response.set_cookie(name, language, max_age=YEAR_S, samesite="Lax")
    return response
