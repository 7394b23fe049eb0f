from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers

from core.api import ActionsMixin, ExportMixin, ReadViewSet, action_schema
from fleet.api.filters import CheckpointFilters, ComponentFilters, JobFilters
from fleet.api.serializers import CheckpointSerializer, ComponentSerializer, JobSerializer
from fleet.http import regions_of
from fleet.models import Checkpoint, Component, ComponentQuerySet, Job, JobQuerySet
from fleet.operations import components
from fleet.states import Action


class ComponentViewSet(ActionsMixin, ExportMixin, ReadViewSet[Component]):
    """Anything that can break, by its path: `ulanqab/sn05/sn05-n17/3`."""

    serializer_class = ComponentSerializer
    filterset_class = ComponentFilters
    lookup_field = "path"
    lookup_value_converter = "component_path"
    ordering = "path"
    write_scope = "manage"
    action_resource = "Component"
    action_fields = {
        str(action): action_schema(str(action), {"reason": serializers.CharField(max_length=2000)})
        for action in Action
    }
    export_fields = ("path", "kind", "region", "supernode", "node", "state", "serial", "address")

    def get_queryset(self) -> ComponentQuerySet:
        visible = Component.objects.visible_in(regions_of(self.request.user))
        return visible.select_related("parent").prefetch_related("versions")

    def take(
        self, *, obj: Component, name: str, data: dict[str, Any], by: Any, at: datetime
    ) -> Component:
        return components.take(path=obj.path, action=name, by=by, at=at, **data)


class JobViewSet(ExportMixin, ReadViewSet[Job]):
    serializer_class = JobSerializer
    filterset_class = JobFilters
    lookup_field = "job_id"
    ordering = "job_id"
    export_fields = ("job_id", "name", "region", "state", "cards", "nodes", "last_step")

    def get_queryset(self) -> JobQuerySet:
        visible = Job.objects.visible_in(regions_of(self.request.user))
        return visible.prefetch_related("placements__component", "services__component")


class CheckpointViewSet(ReadViewSet[Checkpoint]):
    """What is known of the saved states of jobs; the newest step first."""

    serializer_class = CheckpointSerializer
    filterset_class = CheckpointFilters
    lookup_value_converter = "int"
    ordering = "-step"

    def get_queryset(self) -> QuerySet[Checkpoint]:
        jobs = Job.objects.visible_in(regions_of(self.request.user))
        return Checkpoint.objects.filter(job__in=jobs).select_related("job")
