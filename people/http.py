"""Who asks: the request as views see it, and the two ways to be known to the API."""

from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from django_htmx.middleware import HtmxDetails
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework import authentication, exceptions
from rest_framework.request import Request as ApiRequest

from people.models import ApiToken, User
from people.operations import tokens

SCHEME = "bearer"


class Request(HttpRequest):
    """A request of a page, signed in, with htmx's details."""

    user: User
    htmx: HtmxDetails


class SessionAuthentication(authentication.SessionAuthentication):
    """A person at a page of this site: the session, with CSRF on writes."""


class TokenAuthentication(authentication.BaseAuthentication):
    """`Authorization: Bearer <token>`; first in the list, so that nobody known means 401."""

    def authenticate(self, request: ApiRequest) -> tuple[User, ApiToken] | None:
        scheme, _space, secret = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != SCHEME:
            return None
        token = tokens.use(secret=secret.strip(), at=timezone.now())
        if token is None:
            raise exceptions.AuthenticationFailed(_("This token is unknown or was revoked."))
        return token.user, token

    def authenticate_header(self, request: ApiRequest) -> str:
        return 'Bearer realm="api"'


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "people.http.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": SCHEME}


class SessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "people.http.SessionAuthentication"
    name = "session"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "apiKey", "in": "cookie", "name": "sessionid"}
