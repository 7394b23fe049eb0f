"""The request as our views see it: signed in, with htmx's details."""

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from people.models import User


class Request(HttpRequest):
    user: User  # type: ignore[assignment]
    htmx: HtmxDetails
