"""Filters of receipts, for the page and the API."""

import django_filters
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from alerts.models import Receipt, ReceiptQuerySet, Source
from alerts.queries.words import one_of
from alerts.states import ReceiptState, SourceKind


class ReceiptFilter(django_filters.FilterSet):  # type: ignore[misc]
    state = django_filters.MultipleChoiceFilter(
        choices=ReceiptState, label=_("State"), error_messages=one_of(ReceiptState)
    )
    kind = django_filters.ChoiceFilter(
        choices=SourceKind, label=_("Kind"), error_messages=one_of(SourceKind)
    )
    source = django_filters.CharFilter(method="by_source", label=_("Source"))
    since = django_filters.IsoDateTimeFilter(field_name="received_at", lookup_expr="gte")
    until = django_filters.IsoDateTimeFilter(field_name="received_at", lookup_expr="lt")

    class Meta:
        model = Receipt
        fields: list[str] = []

    def by_source(self, queryset: ReceiptQuerySet, name: str, value: str) -> ReceiptQuerySet:
        wanted = Q(name=value) | Q(pk=int(value) if value.isdecimal() and len(value) < 18 else 0)
        return queryset.filter(source_id__in=Source.objects.filter(wanted).values("id"))
