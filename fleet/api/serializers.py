from typing import Any

from rest_framework import serializers

from fleet.models import Checkpoint, Component, FailureClass, FaultCode, Indicator, Job
from fleet.states import State


class ComponentSerializer(serializers.ModelSerializer[Component]):
    parent = serializers.CharField(  # type: ignore[assignment]
        source="parent.path", default=None, read_only=True
    )
    state = serializers.ChoiceField(choices=State.choices)
    devices = serializers.ListField(child=serializers.IntegerField(), read_only=True)
    versions = serializers.SerializerMethodField()
    allowed_actions = serializers.ListField(child=serializers.CharField(), read_only=True)

    class Meta:
        model = Component
        fields = [
            "path",
            "kind",
            "name",
            "parent",
            "region",
            "supernode",
            "node",
            "index",
            "devices",
            "state",
            "state_since",
            "serial",
            "address",
            "attributes",
            "versions",
            "registered",
            "seen_at",
            "allowed_actions",
        ]

    def get_versions(self, component: Component) -> dict[str, str]:
        """Of a node: what it was last seen to run, by package."""
        return {one.package: one.version for one in component.versions.all()}


class CheckpointSerializer(serializers.ModelSerializer[Checkpoint]):
    job_id = serializers.CharField(source="job.job_id")
    usable = serializers.BooleanField(read_only=True)

    class Meta:
        model = Checkpoint
        fields = [
            "id",
            "job_id",
            "step",
            "snapshot_at",
            "persisted_at",
            "verified_at",
            "shards",
            "expected",
            "regions",
            "usable",
        ]


class JobSerializer(serializers.ModelSerializer[Job]):
    placements = serializers.SerializerMethodField()
    services = serializers.SerializerMethodField()

    class Meta:
        model = Job
        fields = [
            "job_id",
            "name",
            "region",
            "state",
            "priority",
            "customer",
            "owner_team",
            "cards",
            "nodes",
            "ranks",
            "baseline_step_seconds",
            "checkpoint_interval_seconds",
            "last_step",
            "last_step_at",
            "last_checkpoint_step",
            "last_checkpoint_at",
            "placements",
            "services",
        ]

    def get_placements(self, job: Job) -> list[dict[str, Any]]:
        return [
            {"path": place.component.path, "first_rank": place.first_rank}
            for place in job.placements.all()
        ]

    def get_services(self, job: Job) -> list[str]:
        return [use.component.path for use in job.services.all()]


class FailureClassSerializer(serializers.ModelSerializer[FailureClass]):
    class Meta:
        model = FailureClass
        fields = [
            "code",
            "name_en",
            "name_zh",
            "description_en",
            "description_zh",
            "signals",
            "source",
            "proposal",
        ]


class FaultCodeSerializer(serializers.ModelSerializer[FaultCode]):
    event_class = serializers.CharField(source="event_class_id", allow_null=True)

    class Meta:
        model = FaultCode
        fields = [
            "code",
            "name_en",
            "name_zh",
            "module",
            "fault_class",
            "event_class",
            "clears",
            "handling_level",
            "frequency_rule",
            "source",
            "proposal",
        ]


class IndicatorSerializer(serializers.ModelSerializer[Indicator]):
    class Meta:
        model = Indicator
        fields = [
            "code",
            "layer",
            "component",
            "name_en",
            "name_zh",
            "unit",
            "metric_name",
            "exporter",
            "name_kind",
            "direction",
            "warning",
            "critical",
            "threshold_basis",
            "failure_class",
            "event_class",
            "nvidia_equivalent",
            "source",
            "proposal",
        ]
