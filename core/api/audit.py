"""The change log, for whoever manages a site."""

from typing import Any

from django_filters import rest_framework as filters
from rest_framework import serializers

from core.api.export import ExportMixin
from core.api.views import ReadViewSet
from core.models import Change


class ChangeSerializer(serializers.ModelSerializer[Change]):
    actor = serializers.CharField(source="actor.username", default=None, allow_null=True)

    class Meta:
        model = Change
        fields = ["id", "at", "actor", "verb", "target", "before", "after", "reason"]
        read_only_fields = fields


class ChangeFilter(filters.FilterSet):
    actor = filters.CharFilter(field_name="actor__username")
    since = filters.IsoDateTimeFilter(field_name="at", lookup_expr="gte")
    until = filters.IsoDateTimeFilter(field_name="at", lookup_expr="lt")

    class Meta:
        model = Change
        fields = ["verb", "target"]


class ChangeViewSet(ExportMixin, ReadViewSet[Any]):
    """Who changed what, when and why; append-only, newest first."""

    queryset = Change.objects.select_related("actor")
    serializer_class = ChangeSerializer
    filterset_class = ChangeFilter
    read_scope = "manage"
    write_scope = "admin"
    lookup_value_converter = "int"
    ordering = "-at"
    export_fields = ("id", "at", "actor", "verb", "target", "reason")
