from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from recovery.models import Recovery, Stage
from recovery.queries import pages


class StageSerializer(serializers.ModelSerializer[Stage]):
    seconds = serializers.FloatField(read_only=True, allow_null=True)

    class Meta:
        model = Stage
        fields = ["stage", "started_at", "ended_at", "seconds", "detail"]


class PathPieceSerializer(serializers.Serializer[Any]):
    stage = serializers.CharField(help_text="a stage, or waiting")
    started_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField()
    seconds = serializers.FloatField()


class RecoverySerializer(serializers.ModelSerializer[Recovery]):
    incident = serializers.IntegerField(source="incident_id", read_only=True, allow_null=True)
    total_seconds = serializers.FloatField(read_only=True, allow_null=True)
    card_hours_lost = serializers.FloatField(read_only=True, allow_null=True)
    stages = StageSerializer(many=True, read_only=True)
    critical_path = serializers.SerializerMethodField()

    class Meta:
        model = Recovery
        fields = [
            "id",
            "recovery_id",
            "job_id",
            "incident",
            "fault_at",
            "first_step_at",
            "caught_up_at",
            "failed_at",
            "failure_reason",
            "total_seconds",
            "stages",
            "critical_path",
            "strategy",
            "fell_back_from",
            "level",
            "levers",
            "spare_used",
            "step_at_fault",
            "checkpoint_step",
            "lost_steps",
            "cards",
            "card_hours_lost",
            "success",
            "is_drill",
            "imported",
            "region",
        ]
        read_only_fields = fields

    @extend_schema_field(PathPieceSerializer(many=True))
    def get_critical_path(self, recovery: Recovery) -> list[dict[str, Any]]:
        return pages.path_of(recovery)


class SpanSerializer(serializers.Serializer[Any]):
    median_seconds = serializers.FloatField(allow_null=True)
    p90_seconds = serializers.FloatField(allow_null=True)


class CountsSerializer(SpanSerializer):
    count = serializers.IntegerField()
    success = serializers.IntegerField()
    failed = serializers.IntegerField()
    max_seconds = serializers.FloatField(allow_null=True)


class KeptSerializer(serializers.Serializer[Any]):
    met = serializers.IntegerField()
    breached = serializers.IntegerField()


class ClocksSerializer(serializers.Serializer[Any]):
    assemble = KeptSerializer()
    restore = KeptSerializer()


class DailyReportSerializer(serializers.Serializer[Any]):
    """Seconds throughout; null where there is no data. Definitions: docs/metrics.md."""

    date = serializers.DateField()
    zone = serializers.CharField()
    closed_at = serializers.DateTimeField(allow_null=True)
    restated_at = serializers.DateTimeField(allow_null=True)
    recoveries = CountsSerializer()
    baseline_seconds = serializers.IntegerField()
    target_seconds = serializers.IntegerField()
    stages = serializers.DictField(child=SpanSerializer())
    incidents = serializers.IntegerField()
    never_acknowledged = serializers.IntegerField()
    clocks = ClocksSerializer()
    late_domains = serializers.DictField(child=serializers.IntegerField())
    mttd_seconds = serializers.FloatField(allow_null=True)
    mtta_seconds = serializers.FloatField(allow_null=True)
    mttr_seconds = serializers.FloatField(allow_null=True)
    ettr = serializers.FloatField(allow_null=True)
