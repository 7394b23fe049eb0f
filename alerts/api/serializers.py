from typing import Any

from rest_framework import serializers

from alerts.models import Alert, AlertGroup, Receipt, Rule, Source
from alerts.queries.receipts import incidents_of


class AlertSerializer(serializers.ModelSerializer[Alert]):
    source = serializers.CharField(source="source.name")  # type: ignore[assignment]
    component = serializers.SerializerMethodField()
    incident = serializers.SerializerMethodField()
    group = serializers.IntegerField(source="group_id", allow_null=True)

    class Meta:
        model = Alert
        fields = [
            "id",
            "source",
            "fingerprint",
            "name",
            "severity",
            "state",
            "flapping",
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
            "labels",
            "annotations",
            "region",
            "first_seen_at",
            "generator_url",
            "notes",
            "why",
        ]

    def get_component(self, alert: Alert) -> dict[str, str] | None:
        if not alert.component_path:
            return None
        return {"path": alert.component_path, "kind": alert.component_kind}

    def get_incident(self, alert: Alert) -> int | None:
        return alert.group.incident_number if alert.group else None


class AlertGroupSerializer(serializers.ModelSerializer[AlertGroup]):
    incident = serializers.IntegerField(source="incident_number", allow_null=True)
    suspected_root = serializers.JSONField(source="root")
    suspects = serializers.SerializerMethodField()
    merged_into = serializers.IntegerField(source="merged_into_id", allow_null=True)

    class Meta:
        model = AlertGroup
        fields = [
            "id",
            "state",
            "failure_class",
            "subtype",
            "event_class",
            "suspected_root",
            "suspects",
            "affected",
            "impact",
            "facts",
            "alert_count",
            "received_count",
            "truncated_count",
            "first_event_at",
            "last_event_at",
            "first_seen_at",
            "region",
            "is_drill",
            "incident",
            "merged_into",
        ]

    def get_suspects(self, group: AlertGroup) -> list[Any]:
        return list(group.facts.get("suspects", ()))


class ReceiptSerializer(serializers.ModelSerializer[Receipt]):
    """`incidents`: those that the receipt's alerts belong to by now."""

    source = serializers.SerializerMethodField()  # type: ignore[assignment]
    alerts = serializers.ListField(source="alert_ids", child=serializers.IntegerField())
    incidents = serializers.SerializerMethodField()
    allowed_actions = serializers.SerializerMethodField()

    class Meta:
        model = Receipt
        fields = [
            "id",
            "source",
            "kind",
            "received_at",
            "size",
            "state",
            "reason",
            "parsed_at",
            "alert_count",
            "truncated_count",
            "alerts",
            "incidents",
            "allowed_actions",
        ]

    def get_source(self, receipt: Receipt) -> str:
        names: dict[int, str] = self.context["source_names"]
        return names.get(receipt.source_id, "")

    def get_incidents(self, receipt: Receipt) -> list[int]:
        known = self.context.get("incidents")
        return (known or incidents_of([receipt])).get(receipt.id, [])

    def get_allowed_actions(self, receipt: Receipt) -> list[str]:
        return [] if receipt.state == "pending" else ["replay"]


class SourceSerializer(serializers.ModelSerializer[Source]):
    class Meta:
        model = Source
        fields = [
            "id",
            "name",
            "kind",
            "enabled",
            "region",
            "default_severity",
            "label_map",
            "volatile_labels",
            "is_drill",
            "stale_after_hours",
            "key_ends_with",
            "created_at",
            "last_receipt_at",
            "last_error",
            "last_error_at",
        ]
        read_only_fields = [
            "kind",
            "key_ends_with",
            "created_at",
            "last_receipt_at",
            "last_error",
            "last_error_at",
        ]


class SourceWithKeySerializer(serializers.Serializer[dict[str, Any]]):
    """A source and its key, which is shown this once."""

    key = serializers.CharField()

    def to_representation(self, pair: dict[str, Any]) -> dict[str, Any]:
        return {**SourceSerializer(pair["source"]).data, "key": pair["key"]}


class NewSourceSerializer(serializers.Serializer[Source]):
    kind = serializers.CharField()
    name = serializers.CharField(max_length=100)
    region = serializers.CharField(max_length=64, required=False, default="")
    is_drill = serializers.BooleanField(required=False, default=False)


class RuleSerializer(serializers.ModelSerializer[Rule]):
    name = serializers.CharField(read_only=True)

    class Meta:
        model = Rule
        fields = [
            "id",
            "slug",
            "order",
            "name",
            "name_en",
            "name_zh",
            "condition",
            "outcome",
            "enabled",
            "proposal",
        ]
