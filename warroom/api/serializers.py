from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.api import action_schema
from people.api.serializers import PersonSerializer
from warroom.models import AffectedJob, Clock, Incident, Participant, Room
from warroom.states import Action
from warroom.states.fields import FIELDS, Field


class RootSerializer(serializers.Serializer[Any]):
    """Where the cause is suspected. `path` is a component's; a link names both ends in `paths`."""

    level = serializers.CharField()
    path = serializers.CharField(allow_blank=True)
    paths = serializers.ListField(child=serializers.CharField())
    ports = serializers.ListField(child=serializers.CharField(), required=False)
    cause = serializers.JSONField()
    confidence = serializers.FloatField(allow_null=True)
    evidence_for = serializers.ListField(child=serializers.JSONField())
    evidence_against = serializers.ListField(child=serializers.JSONField())


class AffectedSerializer(serializers.Serializer[Any]):
    jobs = serializers.ListField(child=serializers.CharField())
    nodes = serializers.IntegerField()
    cards = serializers.IntegerField()
    supernodes = serializers.IntegerField()


class ImpactSerializer(serializers.Serializer[Any]):
    type = serializers.CharField(allow_blank=True)
    jobs = serializers.ListField(child=serializers.CharField())
    cards_idle = serializers.IntegerField()
    ranks = serializers.IntegerField()
    steps_at_risk = serializers.IntegerField()


class ClockSerializer(serializers.ModelSerializer[Clock]):
    incident = serializers.IntegerField(source="incident_id")

    class Meta:
        model = Clock
        fields = (
            "id",
            "incident",
            "kind",
            "state",
            "started_at",
            "due_at",
            "met_at",
            "breached_at",
        )


EMPTY_ROOT: dict[str, Any] = {
    "level": "unknown",
    "path": "",
    "paths": [],
    "cause": "",
    "confidence": None,
    "evidence_for": [],
    "evidence_against": [],
}


class IncidentSerializer(serializers.ModelSerializer[Incident]):
    title = serializers.CharField(source="headline")
    suspected_root = serializers.SerializerMethodField()
    affected = serializers.SerializerMethodField()
    impact = serializers.SerializerMethodField()
    first_responder = PersonSerializer()
    owner = PersonSerializer()
    commander = PersonSerializer()
    recovery_owner = PersonSerializer()
    audience = serializers.StringRelatedField[Any]()
    clocks = ClockSerializer(many=True)
    merged_into = serializers.IntegerField(source="merged_into_id", allow_null=True)
    group = serializers.IntegerField(source="group_id", allow_null=True)
    allowed_actions = serializers.SerializerMethodField()

    class Meta:
        model = Incident
        fields = (
            "number",
            "title",
            "state",
            "tier",
            "failure_class",
            "subtype",
            "event_class",
            "suspected_root",
            "affected",
            "impact",
            "impact_kind",
            "alert_count",
            "received_count",
            "truncated_count",
            "domains_called",
            "first_responder",
            "owner",
            "commander",
            "recovery_owner",
            "clocks",
            "occurred_at",
            "detected_at",
            "opened_at",
            "acknowledged_at",
            "assembled_at",
            "located_at",
            "restored_at",
            "closed_at",
            "relapses",
            "what_restored",
            "is_drill",
            "imported",
            "region",
            "audience",
            "layer",
            "group",
            "merged_into",
            "allowed_actions",
        )
        read_only_fields = fields

    @extend_schema_field(RootSerializer)
    def get_suspected_root(self, incident: Incident) -> dict[str, Any]:
        return {**EMPTY_ROOT, **incident.root}

    @extend_schema_field(AffectedSerializer)
    def get_affected(self, incident: Incident) -> dict[str, Any]:
        return {"jobs": [], "nodes": 0, "cards": 0, "supernodes": 0, **incident.affected}

    @extend_schema_field(ImpactSerializer)
    def get_impact(self, incident: Incident) -> dict[str, Any]:
        nothing = {"type": "", "jobs": [], "cards_idle": 0, "ranks": 0, "steps_at_risk": 0}
        return {**nothing, **incident.impact}

    @extend_schema_field(serializers.ListField(child=serializers.ChoiceField(Action.choices)))
    def get_allowed_actions(self, incident: Incident) -> list[str]:
        return [str(a) for a in incident.allowed_actions_for(self.context["request"].user)]


class DeclareSerializer(serializers.Serializer[Any]):
    """A report by a person. The operation says which values cannot be used."""

    title = serializers.CharField(max_length=300)
    impact = serializers.CharField(required=False, allow_blank=True, max_length=200)
    tier = serializers.IntegerField(required=False, allow_null=True)
    failure_class = serializers.CharField(required=False, allow_blank=True, allow_null=True)
    component = serializers.CharField(required=False, allow_blank=True, max_length=300)
    job_id = serializers.CharField(required=False, allow_blank=True, max_length=200)
    is_drill = serializers.BooleanField(required=False, default=False)


class AffectedJobSerializer(serializers.ModelSerializer[AffectedJob]):
    class Meta:
        model = AffectedJob
        fields = (
            "job_id",
            "restored_at",
            "proof",
            "proof_reason",
            "checkpoint_step",
            "lost_steps",
        )


class RoomSerializer(serializers.ModelSerializer[Room]):
    incident = serializers.IntegerField(source="incident_id")
    jobs = serializers.SerializerMethodField()

    class Meta:
        model = Room
        fields = (
            "incident",
            "state",
            "opened_at",
            "active_at",
            "recovered_at",
            "stood_down_at",
            "jobs",
        )

    @extend_schema_field(AffectedJobSerializer(many=True))
    def get_jobs(self, room: Room) -> list[dict[str, Any]]:
        jobs = [job for job in room.incident.jobs.all() if job.dropped_at is None]
        return [dict(row) for row in AffectedJobSerializer(jobs, many=True).data]


class ParticipantSerializer(serializers.ModelSerializer[Participant]):
    incident = serializers.IntegerField(source="incident_id")
    user = PersonSerializer()

    class Meta:
        model = Participant
        fields = (
            "id",
            "incident",
            "user",
            "state",
            "roles",
            "domains",
            "required",
            "asked_at",
            "acknowledged_at",
            "joined_at",
            "left_at",
            "reason",
        )


class LineSerializer(serializers.Serializer[Any]):
    """`text` is in the reader's language; `written` is what a person wrote."""

    id = serializers.IntegerField()
    incident = serializers.IntegerField(source="incident_number")
    kind = serializers.CharField()
    text = serializers.CharField()
    written = serializers.CharField()
    at = serializers.DateTimeField()
    recorded_at = serializers.DateTimeField()
    lateness_seconds = serializers.FloatField(source="lateness")
    actor = PersonSerializer(allow_null=True)


class StandDownJobSerializer(serializers.Serializer[Any]):
    job_id = serializers.CharField(max_length=200)
    checkpoint_step = serializers.IntegerField(min_value=0, required=False, allow_null=True)
    lost_steps = serializers.IntegerField(min_value=0, required=False, allow_null=True)
    waiver = serializers.CharField(required=False, allow_blank=True)


def _field(field: Field) -> serializers.Field[Any, Any, Any, Any]:
    """The serializer field for one value of an action, from the table of the domain."""
    if field.kind == "choice":
        return serializers.ChoiceField(choices=field.choices, required=field.required)
    if field.kind == "tier":
        return serializers.IntegerField(min_value=1, max_value=3, required=field.required)
    if field.kind == "instant":
        return serializers.DateTimeField(required=field.required)
    if field.kind == "jobs":
        return StandDownJobSerializer(many=True, required=field.required)
    return serializers.CharField(
        required=field.required, allow_blank=not field.required, max_length=field.longest
    )


ACTIONS: dict[str, type[serializers.Serializer[Any]]] = {
    str(action): action_schema(action, {name: _field(f) for name, f in fields.items()})
    for action, fields in FIELDS.items()
}
