from datetime import datetime
from typing import Any, ClassVar

from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from core.api import REFUSED, ActionsMixin, ExportMixin, ReadViewSet, VersionedMixin, scopes_of
from core.errors import NotFound
from people.api import serializers as shapes
from people.models import ApiToken, Responsibility, Roster, Team, User
from people.operations import responsibilities, rosters, teams, tokens, users
from people.queries import on_duty, on_duty_all
from people.states import Domain, Scope


class UserViewSet(ExportMixin, ReadViewSet[User]):
    """People. PATCH changes one's own profile; an administrator's token, anybody's."""

    queryset = User.objects.prefetch_related("teams")
    serializer_class = shapes.UserSerializer
    filterset_fields = ("role", "is_active", "username", "language")
    lookup_value_converter = "int"
    write_scope = "read"  # a profile is one's own; the operation refuses other people's
    ordering = ("username",)
    export_fields = ("id", "username", "name", "role", "email", "phone", "is_active")

    @extend_schema(request=None, responses=shapes.UserSerializer)
    @action(detail=False, methods=["get"])
    def me(self, request: Request) -> Response:
        """Whoever asks."""
        return Response(self.get_serializer(request.user).data)

    @extend_schema(
        request=shapes.ProfileSerializer, responses={200: shapes.UserSerializer, **REFUSED}
    )
    def partial_update(self, request: Request, pk: int) -> Response:
        fields = shapes.ProfileSerializer(data=request.data, partial=True)
        fields.is_valid(raise_exception=True)
        user = users.update_profile(
            user_id=self.get_object().pk,
            by=_person(request),
            at=timezone.now(),
            **fields.validated_data,
        )
        return Response(self.get_serializer(user).data)


class TeamViewSet(ActionsMixin, ReadViewSet[Team]):
    """The twelve domains; `on-duty` answers who is on duty at an instant."""

    queryset = Team.objects.select_related("manager", "next_level")
    serializer_class = shapes.TeamSerializer
    lookup_field = "domain"
    write_scope = "manage"
    ordering = ("domain",)
    action_resource = "Team"
    action_fields: ClassVar = {"appoint": shapes.AppointSerializer}

    def take(self, *, obj: Team, name: str, data: dict[str, Any], by: User, at: datetime) -> Team:
        return teams.appoint(
            domain=obj.domain,
            manager_id=data["manager"],
            next_level_id=data["next_level"],
            by=by,
            at=at,
        )

    @extend_schema(
        parameters=[shapes.DutyQuerySerializer],
        responses={200: shapes.DutySerializer, **REFUSED},
    )
    @action(detail=True, methods=["get"], url_path="on-duty")
    def on_duty(self, request: Request, domain: str) -> Response:
        """Who is on duty for the domain `at` an instant (default: now)."""
        if domain not in Domain.values:
            raise NotFound(f"{domain}")
        at, region = _instant(request)
        return Response(shapes.DutySerializer(on_duty(domain, at, region)).data)

    @extend_schema(
        parameters=[shapes.DutyQuerySerializer],
        responses={200: shapes.DutySerializer(many=True), **REFUSED},
        operation_id="teams_on_duty_all",
    )
    @action(detail=False, methods=["get"], url_path="on-duty", url_name="on-duty-all")
    def on_duty_all(self, request: Request) -> Response:
        """Who is on duty for every domain `at` an instant (default: now)."""
        at, region = _instant(request)
        return Response(shapes.DutySerializer(on_duty_all(at, region), many=True).data)


class RosterViewSet(VersionedMixin, ActionsMixin, ReadViewSet[Roster]):
    """Weekly rotations. PUT replaces the plan and needs If-Match."""

    queryset = Roster.objects.select_related("team").prefetch_related("shifts")
    serializer_class = shapes.RosterSerializer
    filterset_fields = ("region", "team__domain")
    lookup_value_converter = "int"
    write_scope = "manage"
    ordering = ("id",)
    action_resource = "Roster"
    action_fields: ClassVar = {
        "override": shapes.OverrideActionSerializer,
        "end_override": shapes.EndOverrideActionSerializer,
    }

    @extend_schema(
        request=shapes.RosterSerializer, responses={201: shapes.RosterSerializer, **REFUSED}
    )
    def create(self, request: Request) -> Response:
        fields = shapes.RosterSerializer(data=request.data)
        fields.is_valid(raise_exception=True)
        data = fields.validated_data
        roster = rosters.create(
            domain=data["team"]["domain"],
            region=data["region"],
            plan=_plan(data),
            by=_person(request),
            at=timezone.now(),
        )
        answer = Response(self.get_serializer(self._fresh(roster)).data, status=201)
        answer["ETag"] = self.etag(roster)
        return answer

    @extend_schema(
        request=shapes.RosterPlanSerializer, responses={200: shapes.RosterSerializer, **REFUSED}
    )
    def update(self, request: Request, pk: int) -> Response:
        roster = self.get_object()
        version = self.expected_version(request, roster)
        fields = shapes.RosterPlanSerializer(data=request.data)
        fields.is_valid(raise_exception=True)
        written = rosters.update(
            roster_id=roster.pk,
            plan=_plan(fields.validated_data),
            version=version,
            by=_person(request),
            at=timezone.now(),
        )
        answer = Response(self.get_serializer(self._fresh(written)).data)
        answer["ETag"] = self.etag(written)
        return answer

    @extend_schema(
        parameters=[shapes.DutyQuerySerializer],
        responses={200: shapes.DutySerializer, **REFUSED},
    )
    @action(detail=True, methods=["get"], url_path="on-duty")
    def on_duty(self, request: Request, pk: int) -> Response:
        """Who this roster names `at` an instant (default: now)."""
        roster = self.get_object()
        at, _region = _instant(request)
        duty = on_duty(roster.team.domain, at, roster.region)
        return Response(shapes.DutySerializer(duty).data)

    def take(
        self, *, obj: Roster, name: str, data: dict[str, Any], by: User, at: datetime
    ) -> Roster:
        if name == "override":
            user_id = data.pop("user")
            rosters.substitute(roster_id=obj.pk, user_id=user_id, by=by, at=at, **data)
        else:
            rosters.end_substitution(override_id=data["override"], by=by, at=at)
        return self._fresh(obj)

    def _fresh(self, roster: Roster) -> Roster:
        return self.get_queryset().get(pk=roster.pk)


class ResponsibilityViewSet(VersionedMixin, ExportMixin, ReadViewSet[Responsibility]):
    """Cells of the matrix. PATCH writes one and needs If-Match; a class has exactly one A."""

    queryset = Responsibility.objects.all()
    serializer_class = shapes.ResponsibilitySerializer
    filterset_fields = ("failure_class", "domain", "letter")
    lookup_value_converter = "int"
    write_scope = "manage"
    ordering = ("failure_class", "id")
    export_fields = ("failure_class", "domain", "letter", "condition")

    @extend_schema(
        request=shapes.CellSerializer,
        responses={200: shapes.ResponsibilitySerializer, **REFUSED},
    )
    def partial_update(self, request: Request, pk: int) -> Response:
        cell = self.get_object()
        version = self.expected_version(request, cell)
        fields = shapes.CellSerializer(data=request.data)
        fields.is_valid(raise_exception=True)
        written = responsibilities.set_cell(
            failure_class=cell.failure_class,
            domain=cell.domain,
            letter=fields.validated_data.get("letter", cell.letter),
            condition=fields.validated_data.get("condition", cell.condition),
            version=version,
            by=_person(request),
            at=timezone.now(),
        )
        answer = Response(self.get_serializer(written).data)
        answer["ETag"] = self.etag(written)
        return answer


class TokenViewSet(ActionsMixin, ReadViewSet[ApiToken]):
    """One's own tokens; with the scope `admin`, everybody's. The secret is shown once."""

    queryset = ApiToken.objects.select_related("user")
    serializer_class = shapes.TokenSerializer
    lookup_value_converter = "int"
    write_scope = "manage"
    action_resource = "Token"
    action_fields: ClassVar = {"revoke": shapes.RevokeSerializer}

    def get_queryset(self) -> QuerySet[ApiToken]:
        every = ApiToken.objects.select_related("user")
        if Scope.ADMIN in scopes_of(self.request):
            return every
        return every.filter(user=_person(self.request))

    @extend_schema(
        request=shapes.TokenSerializer, responses={201: shapes.MadeTokenSerializer, **REFUSED}
    )
    def create(self, request: Request) -> Response:
        fields = shapes.TokenSerializer(data=request.data)
        fields.is_valid(raise_exception=True)
        by = _person(request)
        token, secret = tokens.create(
            user_id=by.pk,
            name=fields.validated_data["name"],
            scopes=fields.validated_data["scopes"],
            by=by,
            held=scopes_of(request),
            at=timezone.now(),
        )
        answer = {**self.get_serializer(token).data, "token": secret}
        return Response(answer, status=201, headers={"Cache-Control": "no-store"})

    def take(
        self, *, obj: ApiToken, name: str, data: dict[str, Any], by: User, at: datetime
    ) -> ApiToken:
        return tokens.revoke(token_id=obj.pk, by=by, at=at)


def _person(request: Request) -> User:
    if not isinstance(request.user, User):
        raise NotFound
    return request.user


def _instant(request: Request) -> tuple[datetime, str]:
    fields = shapes.DutyQuerySerializer(data=request.query_params)
    fields.is_valid(raise_exception=True)
    at: datetime = fields.validated_data.get("at") or timezone.now()
    return at, str(fields.validated_data["region"])


def _plan(data: dict[str, Any]) -> rosters.Plan:
    return rosters.Plan(
        time_zone=data["time_zone"],
        anchor_date=data["anchor_date"],
        handover_at=data["handover_at"],
        shifts=[(shift["primary_id"], shift["backup_id"]) for shift in data["shifts"]],
    )
