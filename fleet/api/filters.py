from django.db.models import Q
from django_filters import rest_framework as filters

from fleet.models import Checkpoint, Component, FaultCode, Indicator, Job, Kind
from fleet.models.components import ComponentQuerySet
from fleet.models.jobs import JobQuerySet
from fleet.states import JobState, State


class ComponentFilters(filters.FilterSet):
    kind = filters.ChoiceFilter(choices=Kind.choices)
    state = filters.ChoiceFilter(choices=State.choices)
    search = filters.CharFilter(method="matching")
    under = filters.CharFilter(method="inside")
    registered = filters.BooleanFilter()

    class Meta:
        model = Component
        fields = ["kind", "region", "supernode", "node", "state"]

    def matching(self, rows: ComponentQuerySet, name: str, value: str) -> ComponentQuerySet:
        return rows.filter(
            Q(path__icontains=value) | Q(serial__iexact=value) | Q(address__iexact=value)
        )

    def inside(self, rows: ComponentQuerySet, name: str, value: str) -> ComponentQuerySet:
        return rows.under(value)


class JobFilters(filters.FilterSet):
    state = filters.ChoiceFilter(choices=JobState.choices)
    search = filters.CharFilter(method="matching")

    class Meta:
        model = Job
        fields = ["region", "state", "customer"]

    def matching(self, rows: JobQuerySet, name: str, value: str) -> JobQuerySet:
        return rows.filter(
            Q(job_id__icontains=value) | Q(name__icontains=value) | Q(customer__icontains=value)
        )


class CheckpointFilters(filters.FilterSet):
    job = filters.CharFilter(field_name="job__job_id")

    class Meta:
        model = Checkpoint
        fields = ["step"]


class FaultCodeFilters(filters.FilterSet):
    search = filters.CharFilter(method="matching")

    class Meta:
        model = FaultCode
        fields = ["event_class", "handling_level", "module"]

    def matching(self, rows, name: str, value: str):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
        return rows.filter(
            Q(code__icontains=value) | Q(name_en__icontains=value) | Q(name_zh__icontains=value)
        )


class IndicatorFilters(filters.FilterSet):
    search = filters.CharFilter(method="matching")

    class Meta:
        model = Indicator
        fields = ["layer", "component", "name_kind", "proposal"]

    def matching(self, rows, name: str, value: str):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
        return rows.filter(
            Q(code__icontains=value)
            | Q(metric_name__icontains=value)
            | Q(name_en__icontains=value)
            | Q(name_zh__icontains=value)
        )
