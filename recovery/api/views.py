from typing import Any, cast

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from core.api import REFUSED, ExportMixin, ReadViewSet, WriteMixin
from core.errors import Invalid
from people.models import User
from recovery.api.serializers import DailyReportSerializer, RecoverySerializer
from recovery.models import Recovery
from recovery.queries import daily, pages


class RecoveryFilter(filters.FilterSet):
    job = filters.CharFilter(field_name="job_id")
    incident = filters.NumberFilter(field_name="incident_id")
    since = filters.IsoDateTimeFilter(field_name="fault_at", lookup_expr="gte")
    until = filters.IsoDateTimeFilter(field_name="fault_at", lookup_expr="lt")

    class Meta:
        model = Recovery
        fields = ["success", "is_drill", "strategy", "recovery_id"]


class RecoveryViewSet(ExportMixin, ReadViewSet[Recovery]):
    """Restarts of jobs, newest fault first, with their stages and critical path."""

    queryset = Recovery.objects.all()
    serializer_class = RecoverySerializer
    filterset_class = RecoveryFilter
    lookup_value_converter = "int"
    ordering = "-fault_at"
    export_fields = (
        "id",
        "recovery_id",
        "job_id",
        "incident",
        "fault_at",
        "first_step_at",
        "total_seconds",
        "strategy",
        "fell_back_from",
        "lost_steps",
        "card_hours_lost",
        "success",
    )

    def get_queryset(self) -> QuerySet[Recovery]:
        return pages.listed(cast("User", self.request.user))


class ReportViewSet(WriteMixin, GenericViewSet[Any]):
    """Reports are computed from the rows that the caller may see."""

    queryset = Recovery.objects.none()
    serializer_class = DailyReportSerializer
    pagination_class = None
    filter_backends: list[Any] = []

    @extend_schema(responses={200: DailyReportSerializer, **REFUSED})
    @action(detail=False, methods=["get"], url_path="daily/<str:day>")
    def daily(self, request: Request, day: str) -> Response:
        """The daily report of a site-day, `YYYY-MM-DD`."""
        try:
            chosen = pages.date_of(day)
        except ValueError as error:
            raise Invalid(fields={"date": [_("Write the date as YYYY-MM-DD.")]}) from error
        found = daily.report(pages.day_of(chosen), cast("User", request.user))
        return Response(DailyReportSerializer(found).data)
