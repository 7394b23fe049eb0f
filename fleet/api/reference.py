"""The shipped tables. Read only: they change with a release."""

from core.api import ExportMixin, ReadViewSet
from fleet.api.filters import FaultCodeFilters, IndicatorFilters
from fleet.api.serializers import (
    FailureClassSerializer,
    FaultCodeSerializer,
    IndicatorSerializer,
)
from fleet.models import FailureClass, FaultCode, Indicator


class FailureClassViewSet(ReadViewSet[FailureClass]):
    serializer_class = FailureClassSerializer
    queryset = FailureClass.objects.all()
    lookup_field = "code"
    ordering = "order"


class FaultCodeViewSet(ExportMixin, ReadViewSet[FaultCode]):
    serializer_class = FaultCodeSerializer
    filterset_class = FaultCodeFilters
    queryset = FaultCode.objects.all()
    lookup_field = "code"
    ordering = "code"
    export_fields = (
        "code",
        "name_en",
        "name_zh",
        "event_class",
        "handling_level",
        "frequency_rule",
        "source",
    )


class IndicatorViewSet(ExportMixin, ReadViewSet[Indicator]):
    serializer_class = IndicatorSerializer
    filterset_class = IndicatorFilters
    queryset = Indicator.objects.all()
    lookup_field = "code"
    ordering = "code"
    export_fields = (
        "code",
        "layer",
        "name_en",
        "name_zh",
        "metric_name",
        "unit",
        "warning",
        "critical",
        "threshold_basis",
        "proposal",
    )
