from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from notifications.models import Attempt, Channel, Delivery
from people.api.serializers import PersonSerializer


class AttemptSerializer(serializers.ModelSerializer[Attempt]):
    class Meta:
        model = Attempt
        fields = ("at", "ok", "is_repeat", "answer")


class DeliverySerializer(serializers.ModelSerializer[Delivery]):
    """What was tried for one person and step through one channel, and with what answer."""

    person = PersonSerializer(read_only=True)
    incident = serializers.IntegerField(source="incident_number", allow_null=True, read_only=True)
    attempts = AttemptSerializer(many=True, read_only=True)
    allowed_actions = serializers.SerializerMethodField()

    class Meta:
        model = Delivery
        fields = (
            "id",
            "person",
            "step_key",
            "channel",
            "address",
            "state",
            "reason",
            "message_id",
            "template",
            "incident",
            "tier",
            "is_drill",
            "requested_at",
            "sent_at",
            "read_at",
            "attempt_count",
            "is_repeat",
            "answer",
            "attempts",
            "allowed_actions",
        )
        read_only_fields = fields

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_allowed_actions(self, delivery: Delivery) -> list[str]:
        mine = delivery.person_id == self.context["request"].user.pk
        unread = delivery.channel == "inbox" and delivery.read_at is None
        return ["read"] if mine and unread else []


class ReadSerializer(serializers.Serializer[Any]):
    action = serializers.ChoiceField(choices=["read"])


class ChannelSerializer(serializers.ModelSerializer[Channel]):
    class Meta:
        model = Channel
        fields = (
            "id",
            "slug",
            "kind",
            "address",
            "position",
            "enabled",
            "last_ok_at",
            "last_failed_at",
            "last_answer",
        )
        read_only_fields = tuple(name for name in fields if name != "address")


class SwitchOnSerializer(serializers.Serializer[Any]):
    action = serializers.ChoiceField(choices=["switch_on"])


class SwitchOffSerializer(serializers.Serializer[Any]):
    action = serializers.ChoiceField(choices=["switch_off"])


class PutFirstSerializer(serializers.Serializer[Any]):
    action = serializers.ChoiceField(choices=["put_first"])


class TestSerializer(serializers.Serializer[Any]):
    action = serializers.ChoiceField(choices=["test"])
