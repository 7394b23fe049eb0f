"""Every error of the API is a problem detail of RFC 9457; a refusal is one with its sentence."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import exceptions, serializers, status
from rest_framework.response import Response
from rest_framework.views import exception_handler

from core.errors import Invalid, Refused, Stale

TYPE = "application/problem+json"


class FieldErrorSerializer(serializers.Serializer[Any]):
    field = serializers.CharField()
    detail = serializers.CharField()


class ProblemSerializer(serializers.Serializer[Any]):
    """RFC 9457: what was refused, why, and for which fields."""

    type = serializers.CharField(default="about:blank")
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    code = serializers.CharField()
    errors = FieldErrorSerializer(many=True, required=False)  # type: ignore[assignment]
    current = serializers.JSONField(required=False)


REFUSED = dict.fromkeys((400, 401, 403, 404, 409, 412, 428), ProblemSerializer)


class Replay(Exception):
    """The stored answer of an earlier request with the same Idempotency-Key."""

    def __init__(self, code: int, answer: Any) -> None:
        self.status_code, self.answer = code, answer
        super().__init__("replayed")


class PreconditionRequired(exceptions.APIException):
    status_code = status.HTTP_428_PRECONDITION_REQUIRED
    default_code = "precondition_required"


def problem_details(error: Exception, context: dict[str, Any]) -> Response | None:
    """The one place where exceptions become answers of the API."""
    if isinstance(error, Replay):
        return Response(
            error.answer, status=error.status_code, headers={"Idempotent-Replayed": "true"}
        )
    if isinstance(error, Refused):
        return _problem(error.status, error.code, str(error), **_extras(error))
    if isinstance(error, (Http404, exceptions.NotFound)):
        return _problem(404, "not_found", _("There is no such thing here, or you may not see it."))
    if isinstance(error, PermissionDenied):
        return _problem(403, "not_allowed", str(error) or _("You may not do this."))
    if not isinstance(error, exceptions.APIException):
        return None
    response = exception_handler(error, context)
    if response is None:  # pragma: no cover - DRF answers each of its own exceptions
        return None
    fields = _fields(error.detail) if isinstance(error, exceptions.ValidationError) else []
    detail = fields[0]["detail"] if fields else str(error.detail)
    answer = _problem(response.status_code, error.default_code, detail, errors=fields or None)
    for name, value in response.headers.items():
        if name.lower() in ("www-authenticate", "retry-after", "allow"):
            answer[name] = value
    return answer


def _extras(error: Refused) -> dict[str, Any]:
    if isinstance(error, Invalid):
        return {
            "errors": [
                {"field": name, "detail": text}
                for name, texts in error.fields.items()
                for text in texts
            ]
        }
    return {"current": error.current} if isinstance(error, Stale) else {}


def _problem(code: int, slug: str, detail: str, **extras: Any) -> Response:
    body = {
        "type": "about:blank",
        "title": slug.replace("_", " ").capitalize(),
        "status": code,
        "detail": detail,
        "code": slug,
        **{name: value for name, value in extras.items() if value is not None},
    }
    return Response(body, status=code, content_type=TYPE)


def _fields(detail: Any, path: str = "") -> list[dict[str, str]]:
    """Nested validation errors as a flat list of field and sentence."""
    if isinstance(detail, dict):
        return [
            row
            for name, inner in detail.items()
            for row in _fields(inner, f"{path}.{name}" if path else str(name))
        ]
    if isinstance(detail, list):
        return [row for inner in detail for row in _fields(inner, path)]
    return [{"field": path, "detail": str(detail)}]
