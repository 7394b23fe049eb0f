"""
`POST /api/v1/<resource>/<id>/actions` with `{"action": …}`: one door for all verbs of a thing.

The schema is made from the same table that names the verbs, so that none can be forgotten.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, ClassVar

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.api.errors import REFUSED
from core.errors import Invalid


def action_schema(name: str, fields: Mapping[str, "serializers.Field[Any, Any, Any, Any]"]) -> type:
    """A serializer for one verb: `action` fixed to its word, and its fields."""
    title = "".join(part.capitalize() for part in name.split("_"))
    # `instance` of a serializer field is not used here; each class gets its own copies.
    body = {"action": serializers.ChoiceField(choices=[name]), **fields}
    return type(f"{title}Action", (serializers.Serializer,), body)


class ActionsMixin:
    """
    `action_fields` maps each verb to its serializer; `take` makes the one call into operations.

    `action_resource` names the schema component.
    """

    action_fields: ClassVar[Mapping[str, type[serializers.Serializer[Any]]]] = {}
    action_resource: ClassVar[str] = "Resource"

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if cls.action_fields:
            cls.actions = _door(cls.action_resource, cls.action_fields)  # type: ignore[attr-defined]

    def take(self, *, obj: Any, name: str, data: dict[str, Any], by: Any, at: datetime) -> Any:
        raise NotImplementedError  # pragma: no cover

    def _take(self, request: Request) -> Response:
        name = request.data.get("action") if isinstance(request.data, dict) else None
        if not isinstance(name, str) or name not in self.action_fields:
            words = ", ".join(sorted(self.action_fields))
            raise Invalid(fields={"action": [_("Choose one of: %(words)s.") % {"words": words}]})
        fields = self.action_fields[name](data=request.data, context={"request": request})
        fields.is_valid(raise_exception=True)
        data = {key: value for key, value in fields.validated_data.items() if key != "action"}
        obj = self.get_object()  # type: ignore[attr-defined]
        result = self.take(obj=obj, name=name, data=data, by=request.user, at=timezone.now())
        return Response(self.get_serializer(result).data)  # type: ignore[attr-defined]


def _door(resource: str, fields: Mapping[str, type[serializers.Serializer[Any]]]) -> Any:
    request = PolymorphicProxySerializer(
        component_name=f"{resource}Action",
        serializers={
            name: type(f"{resource}{kind.__name__}", (kind,), {}) for name, kind in fields.items()
        },
        resource_type_field_name="action",
    )

    def actions(self: Any, request: Request, **_kwargs: Any) -> Response:
        """Take one of `allowed_actions`; the body depends on `action`."""
        response: Response = self._take(request)
        return response

    schema = extend_schema(request=request, responses={**REFUSED})
    return action(detail=True, methods=["post"], url_path="actions")(schema(actions))
