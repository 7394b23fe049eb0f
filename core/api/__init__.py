"""What every resource of the API stands on."""

from core.api.actions import ActionsMixin, action_schema
from core.api.errors import REFUSED, ProblemSerializer, problem_details
from core.api.export import ExportMixin
from core.api.views import ReadViewSet, VersionedMixin, WriteMixin
from core.rest import SCOPES, ApiPermission, CursorPages, scopes_of

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
