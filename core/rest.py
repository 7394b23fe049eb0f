"""What Django REST framework loads while it is still loading itself: no views here."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db import DataError
from django.forms import ChoiceField, ModelChoiceField, NullBooleanField
from django.utils.translation import gettext as _
from django_filters.rest_framework import DjangoFilterBackend
from rest_framework import exceptions
from rest_framework.exceptions import NotFound, ParseError
from rest_framework.pagination import CursorPagination
from rest_framework.parsers import JSONParser
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

SCOPES = ("read", "respond", "manage", "admin")
# A person at a page has the scopes of the role (contract: scopes read, respond, manage, admin).
ROLE_SCOPES = {
    "viewer": {"read"},
    "engineer": {"read", "respond"},
    "commander": {"read", "respond"},
    "lead": {"read", "respond", "manage"},
    "admin": {"read", "respond", "manage", "admin"},
}


def scopes_of(request: Request) -> set[str]:
    """Of the token when there is one (never more than its owner's role), else of the role."""
    role = ROLE_SCOPES.get(getattr(request.user, "role", ""), set())
    token = getattr(request.auth, "scopes", None)
    if token is None:
        return role
    return role if "all" in token else role & set(token)


class ApiPermission(BasePermission):
    """A read needs the view's `read_scope`, anything else its `write_scope`."""

    def has_permission(self, request: Request, view: Any) -> bool:
        if not request.user.is_authenticated:
            return False
        safe = request.method in ("GET", "HEAD", "OPTIONS")
        needed = getattr(view, "read_scope" if safe else "write_scope", "read" if safe else "admin")
        if needed in scopes_of(request):
            return True
        self.message = _("This needs the scope “%(scope)s”.") % {"scope": needed}
        return False


class JsonBody(JSONParser):
    """JSON that nests deeper than can be read is the caller's mistake, not ours."""

    def parse(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().parse(*args, **kwargs)
        except RecursionError as error:
            raise ParseError(_("The JSON is nested too deeply to be read.")) from error


class Filters(DjangoFilterBackend):  # type: ignore[misc]
    """Filters of lists; a word that is none of the possible ones gets 400 with those that are."""

    def filter_queryset(self, request: Request, queryset: Any, view: Any) -> Any:
        filterset = self.get_filterset(request, queryset, view)
        if filterset is not None and (wrong := _unknown_words(filterset.form)):
            raise exceptions.ValidationError(wrong)
        return super().filter_queryset(request, queryset, view)


def _unknown_words(form: Any) -> dict[str, str]:
    wrong: dict[str, str] = {}
    for name, field in form.fields.items():
        given = [word for word in form.data.getlist(form.add_prefix(name)) if word]
        if isinstance(field, NullBooleanField):
            known = ["true", "false", "1", "0"]
            given = [word.lower() for word in given]
        elif isinstance(field, ChoiceField) and not isinstance(field, ModelChoiceField):
            choices: Any = field.choices
            known = [str(value) for value, _label in choices if value not in ("", None)]
        else:
            continue
        if any(word not in known for word in given):
            wrong[name] = _("Choose one of: %(words)s.") % {"words": ", ".join(known)}
    return wrong


class CursorPages(CursorPagination):
    """Cursor pages: stable while rows arrive, constant cost however deep."""

    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 500
    ordering = "-pk"

    def paginate_queryset(self, queryset, request, view=None):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
        """A cursor of another list, or one made up, is as unknown as one that cannot be read."""
        try:
            return super().paginate_queryset(queryset, request, view)
        except (ValidationError, ValueError, DataError) as error:
            if self.cursor_query_param not in request.query_params:
                raise
            raise NotFound(self.invalid_cursor_message) from error

    def get_ordering(self, request, queryset, view):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
        """The view's `ordering`, always ended by the key so that no two rows tie."""
        chosen = getattr(view, "ordering", None) or self.ordering
        names = [chosen] if isinstance(chosen, str) else list(chosen)
        key = queryset.model._meta.pk.name
        if not any(name.lstrip("-") in ("pk", "id", key) for name in names):
            names.append("-" + key)
        return tuple(names)
