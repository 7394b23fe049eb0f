"""What every resource of the API stands on."""

from core.api.actions import ActionsMixin, action_schema
from core.api.errors import REFUSED, ProblemSerializer, problem_details
from core.api.export import ExportMixin
from core.api.pages import CursorPages
from core.api.permissions import SCOPES, ApiPermission, scopes_of
from core.api.views import ReadViewSet, VersionedMixin, WriteMixin

__all__ = [
    "REFUSED",
    "SCOPES",
    "ActionsMixin",
    "ApiPermission",
    "CursorPages",
    "ExportMixin",
    "ProblemSerializer",
    "ReadViewSet",
    "VersionedMixin",
    "WriteMixin",
    "action_schema",
    "problem_details",
    "scopes_of",
]
