from datetime import datetime
from typing import Any, ClassVar, cast

from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from alerts.api.serializers import (
    AlertGroupSerializer,
    AlertSerializer,
    NewSourceSerializer,
    ReceiptSerializer,
    RuleSerializer,
    SourceSerializer,
    SourceWithKeySerializer,
)
from alerts.models import Alert, AlertGroup, AlertQuerySet, Receipt, ReceiptQuerySet, Rule, Source
from alerts.operations import receipts, sources
from alerts.queries.alerts import (
    AlertFilter,
    groups_asked,
    overlay,
    visible_alerts,
    visible_groups,
)
from alerts.queries.filters import ReceiptFilter
from alerts.queries.groups import GroupFilter
from alerts.queries.receipts import incidents_of, source_names, visible_receipts
from core.api import ActionsMixin, ExportMixin, ReadViewSet, VersionedMixin, action_schema
from people.models import User
from people.queries import visible


def viewer(request: Request) -> User:
    """Permission came first: somebody is known."""
    return cast("User", request.user)


class AlertViewSet(ExportMixin, ReadViewSet[Alert]):
    """Alerts, the newest start first; each as its latest episode, or as that of a group asked for."""

    serializer_class = AlertSerializer
    filterset_class = AlertFilter
    lookup_value_converter = "int"
    ordering = ("-starts_at", "-id")
    queryset = Alert.objects.none()
    export_fields = (
        "id",
        "source",
        "name",
        "severity",
        "state",
        "role",
        "component",
        "job_id",
        "failure_class",
        "event_class",
        "fault_code",
        "starts_at",
        "ends_at",
        "last_seen_at",
        "received_count",
        "episode",
        "group",
        "incident",
        "is_drill",
        "fingerprint",
        "labels",
    )

    def get_queryset(self) -> AlertQuerySet:
        return visible_alerts(viewer(self.request)).defer("marks", "terms")

    def paginate_queryset(self, queryset: Any) -> Any:
        page = super().paginate_queryset(queryset)
        if page:
            overlay(page, groups_asked(self.request.query_params))
        return page


class AlertGroupViewSet(ExportMixin, ReadViewSet[AlertGroup]):
    """Alerts that one cause explains, with the suspected root and what speaks for and against."""

    serializer_class = AlertGroupSerializer
    filterset_class = GroupFilter
    lookup_value_converter = "int"
    ordering = ("-first_event_at", "-id")
    queryset = AlertGroup.objects.none()
    export_fields = (
        "id",
        "state",
        "failure_class",
        "event_class",
        "suspected_root",
        "alert_count",
        "received_count",
        "truncated_count",
        "first_event_at",
        "last_event_at",
        "region",
        "is_drill",
        "incident",
    )

    def get_queryset(self) -> QuerySet[AlertGroup]:
        return visible_groups(viewer(self.request))


class ReceiptViewSet(ActionsMixin, ReadViewSet[Receipt]):
    """Bodies as they were received, the newest first, and what became of each."""

    serializer_class = ReceiptSerializer
    filterset_class = ReceiptFilter
    lookup_value_converter = "uuid"
    ordering = ("-id",)
    queryset = Receipt.objects.none()
    write_scope = "manage"
    action_resource = "Receipt"
    action_fields: ClassVar[dict[str, Any]] = {"replay": action_schema("replay", {})}

    def get_queryset(self) -> ReceiptQuerySet:
        return visible_receipts(viewer(self.request))

    def get_serializer_context(self) -> dict[str, Any]:
        return {**super().get_serializer_context(), "source_names": source_names()}

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        page = self.paginate_queryset(self.filter_queryset(self.get_queryset())) or []
        context = {**self.get_serializer_context(), "incidents": incidents_of(page)}
        return self.get_paginated_response(ReceiptSerializer(page, many=True, context=context).data)

    def take(
        self, *, obj: Receipt, name: str, data: dict[str, Any], by: User, at: datetime
    ) -> Receipt:
        return receipts.replay(receipt_id=obj.id, by=by, at=at)


class SourceViewSet(VersionedMixin, ActionsMixin, ReadViewSet[Source]):
    """Senders. A key is answered once, by the call that makes it."""

    serializer_class = SourceSerializer
    lookup_value_converter = "int"
    ordering = ("-id",)
    queryset = Source.objects.none()
    write_scope = "admin"
    action_resource = "Source"
    action_fields: ClassVar[dict[str, Any]] = {"new_key": action_schema("new_key", {})}

    def get_queryset(self) -> QuerySet[Source]:
        return visible(Source.objects.all(), viewer(self.request))

    @extend_schema(request=NewSourceSerializer, responses={201: SourceWithKeySerializer})
    def create(self, request: Request) -> Response:
        """Make a source; the answer holds its `key`, this once."""
        given = NewSourceSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        source, key = sources.create(by=viewer(request), at=timezone.now(), **given.validated_data)
        return Response(self.get_serializer((source, key)).data, status=201)

    def partial_update(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        source = self.get_object()
        self.expected_version(request, source)
        given = SourceSerializer(source, data=request.data, partial=True)
        given.is_valid(raise_exception=True)
        changed = sources.edit(
            source_id=source.pk,
            changes_to=dict(given.validated_data),
            by=viewer(request),
            at=timezone.now(),
        )
        return Response(self.get_serializer(changed).data, headers={"ETag": self.etag(changed)})

    def take(self, *, obj: Source, name: str, data: dict[str, Any], by: User, at: datetime) -> Any:
        return sources.new_key(source_id=obj.pk, by=by, at=at)

    def get_serializer(self, *args: Any, **kwargs: Any) -> Any:
        """A pair of source and key is shown with its key."""
        if args and isinstance(args[0], tuple):
            source, key = args[0]
            return SourceWithKeySerializer({"source": source, "key": key})
        return super().get_serializer(*args, **kwargs)


class RuleViewSet(ReadViewSet[Rule]):
    """The lines of the classifier, in order: the first that matches decides."""

    serializer_class = RuleSerializer
    lookup_value_converter = "int"
    ordering = ("order", "id")
    queryset = Rule.objects.all()
