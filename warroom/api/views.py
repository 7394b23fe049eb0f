"""Incidents and their rooms over HTTP: reads from the query sets, every write one verb."""

from datetime import datetime
from typing import Any, cast

from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext
from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from core.api import REFUSED, ActionsMixin, ApiPermission, ExportMixin, ReadViewSet
from core.errors import Invalid
from fleet.models import FailureClass
from people.models import User
from people.queries import visible
from warroom import queries
from warroom.api.serializers import (
    ACTIONS,
    ClockSerializer,
    DeclareSerializer,
    IncidentSerializer,
    LineSerializer,
    ParticipantSerializer,
    RoomSerializer,
)
from warroom.models import Clock, Incident, Participant, Room, TimelineEntry
from warroom.operations import actions, incidents
from warroom.states import ClockKind, ClockState, IncidentState, ParticipantState, RoomState


def person(request: HttpRequest | Request) -> User:
    """Who asks: the permission class has let only people in."""
    return cast("User", request.user)


class IncidentFilters(filters.FilterSet):
    """One meaning for pages and API: the filters of `warroom.queries.filtered`."""

    state = filters.MultipleChoiceFilter(choices=IncidentState.choices)
    tier = filters.NumberFilter()
    failure_class = filters.CharFilter()
    component = filters.CharFilter()
    job = filters.CharFilter()
    search = filters.CharFilter()
    since = filters.IsoDateTimeFilter()
    until = filters.IsoDateTimeFilter()
    is_drill = filters.BooleanFilter()
    mine = filters.BooleanFilter()
    open = filters.BooleanFilter()

    class Meta:
        model = Incident
        fields: list[str] = []

    def filter_queryset(self, queryset: QuerySet[Incident]) -> QuerySet[Incident]:
        _known(self.form.cleaned_data)
        return queries.filtered(queryset, self.form.cleaned_data, person(self.request))


def _known(given: dict[str, Any]) -> None:
    """
    :raises Invalid: with the words that there are, for a class or tier that there is not.
    """
    codes = FailureClass.objects.order_by("order").values_list("code", flat=True)
    if given.get("failure_class") and given["failure_class"] not in codes:
        text = gettext("Choose one of: %(words)s.") % {"words": ", ".join(codes)}
        raise Invalid(fields={"failure_class": [text]})
    if given.get("tier") is not None and given["tier"] not in (1, 2, 3):
        raise Invalid(
            fields={"tier": [gettext("Choose one of: %(words)s.") % {"words": "1, 2, 3"}]}
        )


class IncidentViewSet(ActionsMixin, ExportMixin, ReadViewSet[Incident]):
    """What people must answer; the newest first. Writes are the words of `allowed_actions`."""

    queryset = Incident.objects.none()
    serializer_class = IncidentSerializer
    filterset_class = IncidentFilters
    lookup_field = "number"
    lookup_value_converter = "int"
    ordering = ("-opened_at",)
    action_resource = "Incident"
    action_fields = ACTIONS
    export_fields = (
        "number",
        "title",
        "state",
        "tier",
        "failure_class",
        "alert_count",
        "received_count",
        "occurred_at",
        "opened_at",
        "acknowledged_at",
        "assembled_at",
        "located_at",
        "restored_at",
        "closed_at",
        "region",
        "is_drill",
    )

    def get_queryset(self) -> QuerySet[Incident]:
        return visible(Incident.objects.with_everything(), person(self.request))

    @extend_schema(request=DeclareSerializer, responses={201: IncidentSerializer, **REFUSED})
    def create(self, request: Request) -> Response:
        """Declare an incident: a room opens, and who declares is its first responder."""
        asked = DeclareSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        declared = incidents.declare(
            data=asked.validated_data, by=person(request), at=timezone.now()
        )
        answer = self.get_serializer(queries.incident(declared.number)).data
        return Response(answer, status=status.HTTP_201_CREATED)

    def take(
        self, *, obj: Incident, name: str, data: dict[str, Any], by: Any, at: datetime
    ) -> Incident:
        return actions.take(number=obj.number, action=name, data=data, by=by, at=at)


class OfIncident(filters.FilterSet):
    incident = filters.NumberFilter(field_name="incident")


class RoomFilters(OfIncident):
    state = filters.MultipleChoiceFilter(choices=RoomState.choices)


class RoomViewSet(ReadViewSet[Room]):
    """Rooms are read; their actions are those of the incident."""

    queryset = Room.objects.none()
    serializer_class = RoomSerializer
    filterset_class = RoomFilters
    lookup_field = "incident"
    lookup_value_converter = "int"

    def get_queryset(self) -> QuerySet[Room]:
        seen = visible(Incident.objects.all(), person(self.request))
        rooms = Room.objects.filter(incident__in=seen)
        return rooms.select_related("incident").prefetch_related("incident__jobs")


class ParticipantFilters(OfIncident):
    state = filters.MultipleChoiceFilter(choices=ParticipantState.choices)
    user = filters.CharFilter(field_name="user__username")


class ParticipantViewSet(ReadViewSet[Participant]):
    """Who was asked, who came, and for what."""

    queryset = Participant.objects.none()
    serializer_class = ParticipantSerializer
    filterset_class = ParticipantFilters
    lookup_value_converter = "int"

    def get_queryset(self) -> QuerySet[Participant]:
        seen = visible(Incident.objects.all(), person(self.request))
        return Participant.objects.filter(incident__in=seen).select_related("user")


class ClockFilters(OfIncident):
    kind = filters.MultipleChoiceFilter(choices=ClockKind.choices)
    state = filters.MultipleChoiceFilter(choices=ClockState.choices)


class ClockViewSet(ReadViewSet[Clock]):
    """Deadlines, with when they were met or missed."""

    queryset = Clock.objects.none()
    serializer_class = ClockSerializer
    filterset_class = ClockFilters
    lookup_value_converter = "int"

    def get_queryset(self) -> QuerySet[Clock]:
        seen = visible(Incident.objects.all(), person(self.request))
        return Clock.objects.filter(incident__in=seen)


class TimelineQuery(serializers.Serializer[Any]):
    incident = serializers.IntegerField(min_value=1, help_text="number of the incident")
    after = serializers.IntegerField(required=False, min_value=0, help_text="only larger ids")
    kind = serializers.CharField(required=False)


class TimelineViewSet(GenericViewSet[Any]):
    """What happened in an incident, with what was merged into it, in order."""

    queryset = TimelineEntry.objects.none()
    serializer_class = LineSerializer
    permission_classes = [ApiPermission]
    read_scope = "read"
    write_scope = "respond"
    pagination_class = None

    @extend_schema(parameters=[TimelineQuery], responses=LineSerializer(many=True))
    def list(self, request: Request) -> Response:
        asked = TimelineQuery(data=request.query_params)
        asked.is_valid(raise_exception=True)
        found = queries.timeline(
            asked.validated_data["incident"],
            person(request),
            after=asked.validated_data.get("after"),
            kinds=[asked.validated_data["kind"]] if asked.validated_data.get("kind") else (),
        )
        return Response(
            {
                "next": None,
                "previous": None,
                "results": LineSerializer(instance=found, many=True).data,
            }
        )
