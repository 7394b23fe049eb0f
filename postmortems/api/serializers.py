from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from postmortems.models import Postmortem
from postmortems.queries import readers


class SectionSerializer(serializers.Serializer[Any]):
    key = serializers.CharField()
    title = serializers.CharField()
    sentences = serializers.ListField(child=serializers.CharField())


class PostmortemSerializer(serializers.ModelSerializer[Postmortem]):
    incident = serializers.IntegerField(source="incident_id", read_only=True)
    title = serializers.CharField(source="incident.headline", read_only=True)
    sections = serializers.SerializerMethodField()
    allowed_actions = serializers.SerializerMethodField()

    class Meta:
        model = Postmortem
        fields = [
            "id",
            "incident",
            "title",
            "state",
            "tier",
            "failure_class",
            "drafted_at",
            "due_at",
            "is_drill",
            "region",
            "sections",
            "allowed_actions",
        ]
        read_only_fields = fields

    @extend_schema_field(SectionSerializer(many=True))
    def get_sections(self, postmortem: Postmortem) -> list[dict[str, Any]]:
        return readers.as_json(postmortem)

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_allowed_actions(self, postmortem: Postmortem) -> list[str]:
        """None yet: a draft is read; review and publishing have no verbs so far."""
        return []
