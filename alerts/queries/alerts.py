"""Alerts as people may see them: filters, the episode of a group, what one page shows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import django_filters
from django.db.models import BooleanField, F, Func, Q, QuerySet, Value
from django.utils.translation import gettext_lazy as _

from alerts.models import Alert, AlertGroup, AlertQuerySet, Episode, Source
from alerts.queries.terms import tsquery
from alerts.queries.words import one_of
from alerts.states import AlertState
from people.models import User
from people.queries import visible

# What is taken from an episode when the alerts of one group or incident are shown.
OVERLAID = (
    "severity",
    "role",
    "component_path",
    "component_kind",
    "job_id",
    "failure_class",
    "event_class",
    "fault_code",
    "why",
    "starts_at",
    "ends_at",
    "event_at",
    "last_seen_at",
    "received_count",
)


class Matches(Func):
    """`terms @@ query`, by the index."""

    arg_joiner = " @@ "
    template = "(%(expressions)s::tsquery)"
    output_field = BooleanField()


def visible_alerts(user: User) -> AlertQuerySet:
    alerts: AlertQuerySet = visible(Alert.objects.all(), user)
    return alerts.select_related("source", "group")


def visible_groups(user: User) -> QuerySet[AlertGroup]:
    return visible(AlertGroup.objects.all(), user)


class AlertFilter(django_filters.FilterSet):  # type: ignore[misc]
    """Every filter of the page and of the API; an unknown value is refused with the known ones."""

    search = django_filters.CharFilter(method="by_words", label=_("Search"))
    state = django_filters.MultipleChoiceFilter(
        choices=AlertState, label=_("State"), error_messages=one_of(AlertState)
    )
    source = django_filters.CharFilter(method="by_source", label=_("Source"))
    incident = django_filters.NumberFilter(method="by_incident", label=_("Incident"))
    group = django_filters.NumberFilter(method="by_group", label=_("Alert group"))
    component = django_filters.CharFilter(method="by_component", label=_("Component"))
    job = django_filters.CharFilter(field_name="job_id", label=_("Job"))
    failure_class = django_filters.CharFilter(label=_("Failure class"))
    since = django_filters.IsoDateTimeFilter(field_name="starts_at", lookup_expr="gte")
    until = django_filters.IsoDateTimeFilter(field_name="starts_at", lookup_expr="lt")
    is_drill = django_filters.BooleanFilter(label=_("Drill"))

    class Meta:
        model = Alert
        fields: list[str] = []

    def by_words(self, queryset: AlertQuerySet, name: str, value: str) -> AlertQuerySet:
        query = tsquery(value)
        return queryset.filter(Matches(F("terms"), Value(query))) if query else queryset

    def by_source(self, queryset: AlertQuerySet, name: str, value: str) -> AlertQuerySet:
        wanted = Q(name=value) | Q(pk=int(value) if value.isdecimal() and len(value) < 18 else 0)
        return queryset.filter(source__in=Source.objects.filter(wanted))

    def by_incident(self, queryset: AlertQuerySet, name: str, value: Any) -> AlertQuerySet:
        return _of_groups(queryset, AlertGroup.objects.filter(incident_number=int(value)))

    def by_group(self, queryset: AlertQuerySet, name: str, value: Any) -> AlertQuerySet:
        return _of_groups(queryset, AlertGroup.objects.filter(pk=int(value)))

    def by_component(self, queryset: AlertQuerySet, name: str, value: str) -> AlertQuerySet:
        path = value.strip().rstrip("/")
        if "/" not in path and ":" not in path:
            return queryset.filter(Q(component_path__endswith=f"/{path}") | Q(component_path=path))
        return queryset.filter(Q(component_path=path) | Q(component_path__startswith=f"{path}/"))


def _of_groups(queryset: AlertQuerySet, groups: QuerySet[AlertGroup]) -> AlertQuerySet:
    episodes = Episode.objects.filter(group__in=list(groups.values_list("pk", flat=True)))
    return queryset.filter(pk__in=episodes.values("alert_id"))


def groups_asked(given: Any) -> list[int]:
    """The groups that a list is about (`incident=` or `group=`), as ids."""
    groups = AlertGroup.objects.none()
    if str(given.get("group", "")).isdecimal():
        groups = AlertGroup.objects.filter(pk=int(given["group"]))
    elif str(given.get("incident", "")).isdecimal():
        groups = AlertGroup.objects.filter(incident_number=int(given["incident"]))
    return list(groups.values_list("pk", flat=True))


def overlay(alerts: Sequence[Alert], group_ids: Sequence[int]) -> None:
    """Show each alert as the episode of these groups was, in place: one query for all."""
    if not group_ids:
        return
    episodes = Episode.objects.filter(
        alert_id__in=[alert.pk for alert in alerts], group_id__in=group_ids
    ).select_related("group")
    latest = {episode.alert_id: episode for episode in episodes.order_by("starts_at")}
    for alert in alerts:
        episode = latest.get(alert.pk)
        if episode is None:
            continue
        if episode.number != alert.episode:
            alert.state = AlertState.RESOLVED
        for name in OVERLAID:
            setattr(alert, name, getattr(episode, name))
        alert.episode, alert.group = episode.number, episode.group


@dataclass(frozen=True, slots=True)
class AlertPage:
    alert: Alert
    episodes: list[Episode]


def alert_page(user: User, pk: int) -> AlertPage | None:
    alert = visible_alerts(user).filter(pk=pk).first()
    if alert is None:
        return None
    episodes = Episode.objects.filter(alert_id=pk).select_related("group").order_by("-starts_at")
    return AlertPage(alert=alert, episodes=list(episodes[:50]))


def alerts_of_incident(number: int) -> AlertQuerySet:
    """Every alert with an episode in a group of this incident."""
    return _of_groups(Alert.objects.all(), AlertGroup.objects.filter(incident_number=number))
