from typing import Any

from rest_framework import serializers

from people.models import ApiToken, Responsibility, Roster, Team, User
from people.models.users import LANGUAGES
from people.states import Condition, Domain, Letter, Scope, Slot


class PersonSerializer(serializers.ModelSerializer[User]):
    """A person as other objects name one."""

    class Meta:
        model = User
        fields = ("id", "username", "name")


class UserSerializer(serializers.ModelSerializer[User]):
    domains = serializers.SerializerMethodField()

    class Meta:
        model = User
        fields = (
            "id",
            "username",
            "name",
            "language",
            "time_zone",
            "role",
            "regions",
            "domains",
            "email",
            "phone",
            "is_active",
        )

    def get_domains(self, user: User) -> list[str]:
        return sorted(team.domain for team in user.teams.all())


class ProfileSerializer(serializers.Serializer[User]):
    """What PATCH may change; everything else about a person is not written here."""

    name = serializers.CharField(max_length=100, required=False)
    language = serializers.ChoiceField(choices=LANGUAGES, required=False)
    time_zone = serializers.CharField(max_length=64, required=False)
    email = serializers.EmailField(required=False, allow_blank=True)
    phone = serializers.CharField(max_length=40, required=False, allow_blank=True)


class TeamSerializer(serializers.ModelSerializer[Team]):
    name = serializers.CharField(read_only=True)
    manager = PersonSerializer(read_only=True)
    next_level = PersonSerializer(read_only=True)

    class Meta:
        model = Team
        fields = ("domain", "name", "name_en", "name_zh", "manager", "next_level")


class AppointSerializer(serializers.Serializer[Any]):
    action = serializers.ChoiceField(choices=["appoint"])
    manager = serializers.IntegerField(allow_null=True)
    next_level = serializers.IntegerField(allow_null=True)


class DutySerializer(serializers.Serializer[Any]):
    """Who answers for a domain; instants carry their offset."""

    domain = serializers.ChoiceField(choices=Domain.choices)
    region = serializers.CharField()
    roster = serializers.IntegerField(source="roster_id", allow_null=True)
    primary = PersonSerializer(allow_null=True)
    backup = PersonSerializer(allow_null=True)
    manager = PersonSerializer(allow_null=True)
    next_level = PersonSerializer(allow_null=True)
    until = serializers.DateTimeField(allow_null=True)
    gap = serializers.CharField()


class DutyQuerySerializer(serializers.Serializer[Any]):
    at = serializers.DateTimeField(required=False)
    region = serializers.CharField(required=False, default="")


class ShiftSerializer(serializers.Serializer[Any]):
    primary = serializers.IntegerField(allow_null=True, source="primary_id")
    backup = serializers.IntegerField(
        allow_null=True, required=False, default=None, source="backup_id"
    )


class RosterSerializer(serializers.ModelSerializer[Roster]):
    domain = serializers.ChoiceField(choices=Domain.choices, source="team.domain")
    region = serializers.CharField(max_length=64, allow_blank=True, default="")
    handover_at = serializers.TimeField(format="%H:%M")
    shifts = ShiftSerializer(many=True)

    class Meta:
        model = Roster
        fields = (
            "id",
            "domain",
            "region",
            "time_zone",
            "anchor_date",
            "handover_at",
            "shifts",
            "version",
        )
        read_only_fields = ("id", "version")
        validators: list[Any] = []


class RosterPlanSerializer(serializers.Serializer[Any]):
    """A roster's plan as PUT writes it; domain and region stay."""

    time_zone = serializers.CharField(max_length=64)
    anchor_date = serializers.DateField()
    handover_at = serializers.TimeField()
    shifts = ShiftSerializer(many=True, allow_empty=False)


class OverrideActionSerializer(serializers.Serializer[Any]):
    action = serializers.ChoiceField(choices=["override"])
    slot = serializers.ChoiceField(choices=Slot.choices, default=Slot.PRIMARY)
    user = serializers.IntegerField()
    starts_at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField()
    reason = serializers.CharField(max_length=200, required=False, default="", allow_blank=True)


class EndOverrideActionSerializer(serializers.Serializer[Any]):
    action = serializers.ChoiceField(choices=["end_override"])
    override = serializers.IntegerField()


class ResponsibilitySerializer(serializers.ModelSerializer[Responsibility]):
    class Meta:
        model = Responsibility
        fields = ("id", "failure_class", "domain", "letter", "condition", "version")
        read_only_fields = ("id", "failure_class", "domain", "version")


class CellSerializer(serializers.Serializer[Any]):
    letter = serializers.ChoiceField(choices=Letter.choices, allow_blank=True, required=False)
    condition = serializers.ChoiceField(choices=Condition.choices, allow_blank=True, required=False)


class TokenSerializer(serializers.ModelSerializer[ApiToken]):
    user = serializers.CharField(source="user.username", read_only=True)
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=Scope.choices))

    class Meta:
        model = ApiToken
        fields = (
            "id",
            "user",
            "name",
            "ends_with",
            "scopes",
            "created_at",
            "last_used_at",
            "revoked_at",
        )
        read_only_fields = ("id", "user", "ends_with", "created_at", "last_used_at", "revoked_at")


class MadeTokenSerializer(TokenSerializer):
    """Shown once: the only answer that carries the secret."""

    token = serializers.CharField(read_only=True)

    class Meta(TokenSerializer.Meta):
        fields = (*TokenSerializer.Meta.fields, "token")  # type: ignore[assignment]


class RevokeSerializer(serializers.Serializer[Any]):
    action = serializers.ChoiceField(choices=["revoke"])
