from datetime import datetime
from typing import Any, ClassVar

import django_filters
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from core.api import REFUSED, ActionsMixin, ExportMixin, ReadViewSet
from core.errors import Refused
from notifications.api import serializers as shapes
from notifications.models import Channel, Delivery
from notifications.operations import channels, deliveries
from notifications.states import State
from people.models import User


class DeliveryFilter(django_filters.FilterSet):
    incident = django_filters.NumberFilter(field_name="incident_number")
    state = django_filters.ChoiceFilter(choices=State.choices)
    person = django_filters.NumberFilter()
    since = django_filters.IsoDateTimeFilter(field_name="requested_at", lookup_expr="gte")
    until = django_filters.IsoDateTimeFilter(field_name="requested_at", lookup_expr="lt")

    class Meta:
        model = Delivery
        fields = ("channel", "step_key", "template", "is_drill")


class DeliveryViewSet(ActionsMixin, ExportMixin, ReadViewSet[Delivery]):
    """What people were told, newest first: one's own, and that of incidents one may see."""

    queryset = Delivery.objects.none()
    serializer_class = shapes.DeliverySerializer
    filterset_class = DeliveryFilter
    lookup_value_converter = "int"
    ordering = ("-requested_at",)
    write_scope = "read"  # reading one's own inbox
    action_resource = "Delivery"
    action_fields: ClassVar = {"read": shapes.ReadSerializer}
    export_fields = (
        "id",
        "incident",
        "step_key",
        "channel",
        "state",
        "reason",
        "requested_at",
        "sent_at",
        "attempt_count",
        "answer",
    )

    def get_queryset(self) -> QuerySet[Delivery]:
        seen = Delivery.objects.visible_to(_person(self.request))
        return seen.select_related("person").prefetch_related("attempts")

    def take(
        self, *, obj: Delivery, name: str, data: dict[str, Any], by: User, at: datetime
    ) -> Delivery:
        deliveries.mark_read(person_id=by.pk, delivery_id=obj.pk, at=at)
        obj.refresh_from_db()
        return obj


class ChannelViewSet(ActionsMixin, ReadViewSet[Channel]):
    """How one is called, in order. The inbox is always there and has no row."""

    queryset = Channel.objects.none()
    serializer_class = shapes.ChannelSerializer
    lookup_value_converter = "int"
    ordering = ("position",)
    write_scope = "read"  # one's own
    action_resource = "Channel"
    action_fields: ClassVar = {
        "switch_on": shapes.SwitchOnSerializer,
        "switch_off": shapes.SwitchOffSerializer,
        "put_first": shapes.PutFirstSerializer,
        "test": shapes.TestSerializer,
    }

    def get_queryset(self) -> QuerySet[Channel]:
        return Channel.objects.filter(person=_person(self.request))

    @extend_schema(
        request=shapes.ChannelSerializer, responses={201: shapes.ChannelSerializer, **REFUSED}
    )
    def create(self, request: Request) -> Response:
        fields = shapes.ChannelSerializer(data=request.data)
        fields.is_valid(raise_exception=True)
        channel = channels.add(
            address=fields.validated_data["address"], by=_person(request), at=timezone.now()
        )
        return Response(self.get_serializer(channel).data, status=201)

    @extend_schema(responses={204: None, **REFUSED})
    def destroy(self, request: Request, pk: int) -> Response:
        channels.remove(channel_id=self.get_object().pk, by=_person(request), at=timezone.now())
        return Response(status=204)

    def take(
        self, *, obj: Channel, name: str, data: dict[str, Any], by: User, at: datetime
    ) -> Channel:
        if name == "test":
            channels.test(slug=obj.slug, by=by, at=at)
            return obj
        if name == "put_first":
            return channels.put_first(channel_id=obj.pk, by=by, at=at)
        enabled = name == "switch_on"
        return channels.switch(channel_id=obj.pk, enabled=enabled, by=by, at=at)


def _person(request: Any) -> User:
    if not isinstance(request.user, User):
        raise Refused(_("Nobody is signed in."))
    return request.user
