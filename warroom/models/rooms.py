from typing import Self

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models

from warroom.models.incidents import Incident
from warroom.states import HandOverState, ParticipantState, Role, RoomState


class Room(models.Model):
    """The gathering for an incident. An incident that was only proposed has none."""

    incident = models.OneToOneField(Incident, models.CASCADE, related_name="room")
    state = models.CharField(max_length=12, choices=RoomState, default=RoomState.CONVENING)
    opened_at = models.DateTimeField()
    active_at = models.DateTimeField(null=True)
    recovered_at = models.DateTimeField(null=True)
    stood_down_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state__in=RoomState.values), name="warroom_room_state_known"
            )
        ]

    def __str__(self) -> str:
        return f"Room of INC-{self.incident_id}"


class ParticipantQuerySet(models.QuerySet["Participant"]):
    def present(self) -> Self:
        return self.filter(state=ParticipantState.JOINED)

    def awaited(self) -> Self:
        return self.filter(state__in=[ParticipantState.ASKED, ParticipantState.ACKNOWLEDGED])


class Participant(models.Model):
    """
    A person in an incident, with everything they are there for.

    `domains`: for whom they answer; a domain is present when one of its people has joined.
    `required`: whether somebody with one of these domains or roles must be here.
    """

    incident = models.ForeignKey(Incident, models.CASCADE, related_name="participants")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="rooms")
    state = models.CharField(max_length=12, choices=ParticipantState)
    roles = ArrayField(models.CharField(max_length=24, choices=Role), default=list)
    domains = ArrayField(models.CharField(max_length=3), default=list)
    required = models.BooleanField(default=False)
    asked_at = models.DateTimeField(null=True)
    acknowledged_at = models.DateTimeField(null=True)
    joined_at = models.DateTimeField(null=True)
    left_at = models.DateTimeField(null=True)
    calls = models.PositiveSmallIntegerField(default=0)
    reason = models.TextField(blank=True, default="")

    objects = ParticipantQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["incident", "user"], name="warroom_participant_once"),
            models.CheckConstraint(
                condition=models.Q(state__in=ParticipantState.values),
                name="warroom_participant_state_known",
            ),
            models.CheckConstraint(
                condition=~models.Q(state="joined") | models.Q(joined_at__isnull=False),
                name="warroom_participant_joined_at",
            ),
        ]
        indexes = [
            models.Index(
                fields=["user"],
                name="warroom_participant_awaited",
                condition=models.Q(state__in=["asked", "acknowledged"]),
            )
        ]

    def __str__(self) -> str:
        return f"{self.user} in INC-{self.incident_id}"

    @property
    def present(self) -> bool:
        return self.state == ParticipantState.JOINED


class HandOver(models.Model):
    """
    An offer of what somebody holds in an incident. The giver stays responsible until it is
    accepted; unanswered it expires and everything stays as it was.
    """

    class What(models.TextChoices):
        OWNER = "owner"
        COMMANDER = "commander"
        RECOVERY_OWNER = "recovery_owner"

    incident = models.ForeignKey(Incident, models.CASCADE, related_name="hand_overs")
    giver = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    taker = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    what = ArrayField(models.CharField(max_length=20, choices=What))
    note = models.TextField(blank=True, default="")
    state = models.CharField(max_length=10, choices=HandOverState, default=HandOverState.OFFERED)
    offered_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True)
    reason = models.TextField(blank=True, default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["incident", "giver"],
                condition=models.Q(state="offered"),
                name="warroom_hand_over_one_offer",
            ),
            models.CheckConstraint(
                condition=~models.Q(giver=models.F("taker")), name="warroom_hand_over_two_people"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.giver} → {self.taker}, INC-{self.incident_id}"
