from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from core.api import REFUSED, ActionsMixin, ExportMixin, ReadViewSet, VersionedMixin, action_schema
from people.queries import visible
from sops.api.serializers import (
    OutputField,
    ProcedureDetailSerializer,
    ProcedureSerializer,
    RunDetailSerializer,
    RunSerializer,
    RunStartSerializer,
)
from sops.models import ProcedureVersion, Run
from sops.operations import actions, runs
from sops.states import RunState


def _step() -> serializers.IntegerField:
    return serializers.IntegerField(min_value=1, max_value=999)


def _words(*, required: bool = True) -> serializers.CharField:
    return serializers.CharField(max_length=4000, required=required, allow_blank=not required)


class TargetField(serializers.CharField):
    """`4`, `PSD`, `NCR:3` or `tier:2`; a bare number is a step."""


class ProcedureFilters(filters.FilterSet):
    failure_class = filters.CharFilter(field_name="procedure")

    class Meta:
        model = ProcedureVersion
        fields = ["failure_class", "state"]


class ProcedureViewSet(VersionedMixin, ReadViewSet[ProcedureVersion]):
    """The published version of each procedure, by failure class: `/procedures/NCR`."""

    serializer_class = ProcedureSerializer
    filterset_class = ProcedureFilters
    lookup_field = "procedure_id"
    lookup_url_kwarg = "failure_class"
    version_field = "number"
    ordering = ("procedure__order", "pk")

    def get_queryset(self) -> QuerySet[ProcedureVersion]:
        return ProcedureVersion.objects.current().select_related("procedure")

    def get_serializer_class(self) -> type[ProcedureSerializer]:
        return ProcedureDetailSerializer if self.action == "retrieve" else ProcedureSerializer


class RunFilters(filters.FilterSet):
    incident = filters.NumberFilter(field_name="incident_number")
    failure_class = filters.CharFilter(field_name="version__procedure")
    state = filters.ChoiceFilter(choices=RunState.choices)
    since = filters.IsoDateTimeFilter(field_name="started_at", lookup_expr="gte")
    until = filters.IsoDateTimeFilter(field_name="started_at", lookup_expr="lt")

    class Meta:
        model = Run
        fields = ["incident", "failure_class", "state", "is_drill", "since", "until"]


class RunViewSet(ActionsMixin, ExportMixin, ReadViewSet[Run]):
    """Runs of procedures, newest first. `POST /runs` starts one by hand."""

    queryset = Run.objects.none()
    serializer_class = RunSerializer
    filterset_class = RunFilters
    ordering = ("-started_at", "-pk")
    action_resource = "Run"
    action_fields = {
        "start": action_schema("start", {"step": serializers.IntegerField(required=False)}),
        "done": action_schema(
            "done", {"step": _step(), "output": OutputField(), "note": _words(required=False)}
        ),
        "fail": action_schema("fail", {"step": _step(), "note": _words(), "output": OutputField()}),
        "retry": action_schema("retry", {"step": _step()}),
        "skip": action_schema("skip", {"step": _step(), "reason": _words()}),
        "branch": action_schema(
            "branch",
            {"step": _step(), "to": TargetField(max_length=16), "note": _words(required=False)},
        ),
        "abort": action_schema("abort", {"reason": _words()}),
    }
    export_fields = (
        "id", "incident", "failure_class", "version", "state", "opened_at", "started_at",
        "closed_at", "closed_reason", "used_minutes", "ends_by", "steps_done", "step_count",
        "is_drill",
    )  # fmt: skip

    def get_queryset(self) -> QuerySet[Run]:
        user: Any = self.request.user
        return visible(Run.objects.with_everything(), user)

    def get_serializer_class(self) -> type[Any]:
        if self.action == "create":
            return RunStartSerializer
        return RunSerializer if self.action in ("list", "export") else RunDetailSerializer

    def get_serializer_context(self) -> dict[str, Any]:
        return {**super().get_serializer_context(), "at": timezone.now()}

    @extend_schema(request=RunStartSerializer, responses={201: RunDetailSerializer, **REFUSED})
    def create(self, request: Request) -> Response:
        asked = RunStartSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        by: Any = request.user
        run = runs.start(
            number=asked.validated_data["incident"],
            failure_class=asked.validated_data["failure_class"],
            by=by,
            at=timezone.now(),
        )
        return self._answer(run, status.HTTP_201_CREATED)

    def take(self, *, obj: Run, name: str, data: dict[str, Any], by: Any, at: datetime) -> Run:
        run = actions.take(run_id=obj.pk, action=name, data=data, by=by, at=at)
        return self.get_queryset().get(pk=run.pk)

    def _answer(self, run: Run, code: int) -> Response:
        fresh = self.get_queryset().get(pk=run.pk)
        context = self.get_serializer_context()
        return Response(RunDetailSerializer(fresh, context=context).data, status=code)
