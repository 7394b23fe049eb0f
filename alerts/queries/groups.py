"""Alert groups: their facts for the apps above, and their page."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

import django_filters
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from alerts.models import Alert, AlertGroup, Episode
from alerts.queries.alerts import overlay, visible_alerts, visible_groups
from alerts.queries.words import one_of
from alerts.states import AlertRole, GroupState
from people.models import User

MOST_SHOWN = 100


class GroupFilter(django_filters.FilterSet):  # type: ignore[misc]
    state = django_filters.MultipleChoiceFilter(
        choices=GroupState, label=_("State"), error_messages=one_of(GroupState)
    )
    incident = django_filters.NumberFilter(field_name="incident_number", label=_("Incident"))
    failure_class = django_filters.CharFilter(label=_("Failure class"))
    component = django_filters.CharFilter(method="by_component", label=_("Component"))
    job = django_filters.CharFilter(method="by_job", label=_("Job"))
    since = django_filters.IsoDateTimeFilter(field_name="first_event_at", lookup_expr="gte")
    until = django_filters.IsoDateTimeFilter(field_name="first_event_at", lookup_expr="lt")
    is_drill = django_filters.BooleanFilter(label=_("Drill"))

    class Meta:
        model = AlertGroup
        fields: list[str] = []

    def by_component(
        self, queryset: QuerySet[AlertGroup], name: str, value: str
    ) -> QuerySet[AlertGroup]:
        return queryset.filter(Q(root__path=value) | Q(root__path__startswith=f"{value}/"))

    def by_job(self, queryset: QuerySet[AlertGroup], name: str, value: str) -> QuerySet[AlertGroup]:
        return queryset.filter(affected__jobs__contains=[value])


def group_facts(group_id: int) -> dict[str, Any]:
    """What tiers, rules and the call list are decided from; empty for a group that is not there."""
    facts = AlertGroup.objects.filter(pk=group_id).values_list("facts", flat=True).first()
    return dict(facts or {})


@dataclass(frozen=True, slots=True)
class GroupPage:
    group: AlertGroup
    causes: list[Alert]
    victims: list[Alert]
    others: list[Alert]
    roles: dict[str, int]
    firing: int


def group_page(user: User, pk: int) -> GroupPage | None:
    """The group with the first hundred alerts of each role, as they were in it."""
    group = visible_groups(user).filter(pk=pk).select_related("merged_into").first()
    if group is None:
        return None
    roles = Counter(Episode.objects.filter(group_id=pk).values_list("role", flat=True))
    firing = Episode.objects.filter(group_id=pk, ends_at=None).count()
    return GroupPage(
        group=group,
        causes=_with_role(user, pk, [AlertRole.CAUSE]),
        victims=_with_role(user, pk, [AlertRole.VICTIM]),
        others=_with_role(user, pk, [AlertRole.UNRELATED, AlertRole.UNKNOWN]),
        roles=dict(roles),
        firing=firing,
    )


def _with_role(user: User, pk: int, roles: list[AlertRole]) -> list[Alert]:
    first = Episode.objects.filter(group_id=pk, role__in=roles).order_by("starts_at", "id")
    ids = list(first.values_list("alert_id", flat=True)[:MOST_SHOWN])
    alerts = list(visible_alerts(user).filter(pk__in=ids))
    overlay(alerts, [pk])
    return sorted(alerts, key=lambda alert: (alert.starts_at, alert.pk))
