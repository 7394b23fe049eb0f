from typing import cast

from django.db.models import QuerySet
from django_filters import rest_framework as filters

from core.api import ExportMixin, ReadViewSet, VersionedMixin
from people.models import User
from postmortems.api.serializers import PostmortemSerializer
from postmortems.models import Postmortem
from postmortems.queries import readers


class PostmortemFilter(filters.FilterSet):
    incident = filters.NumberFilter(field_name="incident_id")
    since = filters.IsoDateTimeFilter(field_name="drafted_at", lookup_expr="gte")
    until = filters.IsoDateTimeFilter(field_name="drafted_at", lookup_expr="lt")

    class Meta:
        model = Postmortem
        fields = ["incident", "state", "tier", "failure_class", "is_drill"]


class PostmortemViewSet(VersionedMixin, ExportMixin, ReadViewSet[Postmortem]):
    """Postmortems, newest first; `sections` are sentences in the caller's language."""

    queryset = Postmortem.objects.all()
    serializer_class = PostmortemSerializer
    filterset_class = PostmortemFilter
    lookup_value_converter = "int"
    ordering = "-drafted_at"
    export_fields = (
        "id",
        "incident",
        "title",
        "state",
        "tier",
        "failure_class",
        "drafted_at",
        "due_at",
    )

    def get_queryset(self) -> QuerySet[Postmortem]:
        return readers.listed(cast("User", self.request.user))
