from datetime import datetime
from typing import Self

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from warroom.models.incidents import Incident
from warroom.models.rooms import HandOver, Participant
from warroom.states import ClockKind, ClockState, StepAction, StepState


class ClockQuerySet(models.QuerySet["Clock"]):
    def running(self) -> Self:
        return self.filter(state=ClockState.RUNNING)


class Clock(models.Model):
    """One deadline of an incident. What happens on the way to it are its steps."""

    incident = models.ForeignKey(Incident, models.CASCADE, related_name="clocks")
    kind = models.CharField(max_length=12, choices=ClockKind)
    state = models.CharField(max_length=10, choices=ClockState, default=ClockState.RUNNING)
    started_at = models.DateTimeField()
    due_at = models.DateTimeField()
    met_at = models.DateTimeField(null=True)
    breached_at = models.DateTimeField(null=True)
    hand_over = models.OneToOneField(HandOver, models.CASCADE, null=True, related_name="clock")

    objects = ClockQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["incident", "kind"],
                condition=Q(state="running", hand_over=None),
                name="warroom_clock_one_running",
            ),
            models.CheckConstraint(
                condition=Q(state__in=ClockState.values), name="warroom_clock_state_known"
            ),
            models.CheckConstraint(
                condition=~Q(state__in=["met", "met_late"]) | Q(met_at__isnull=False),
                name="warroom_clock_met_at",
            ),
        ]
        indexes = [
            models.Index(fields=["due_at"], name="warroom_clock_due", condition=Q(state="running"))
        ]

    def __str__(self) -> str:
        return f"{self.kind} of INC-{self.incident_id}"


class ClockStepQuerySet(models.QuerySet["ClockStep"]):
    def due(self, at: datetime) -> Self:
        return self.filter(state=StepState.PENDING, due_at__lte=at)


class ClockStep(models.Model):
    """
    One thing to do at one instant, exactly once: a rung of the ladder, a warning, a breach.

    `minute` is that of the policy, before the site's clock scale. `domains` null: everybody
    whom the incident requires at that instant; a ladder of added domains names them.
    """

    incident = models.ForeignKey(Incident, models.CASCADE, related_name="steps")
    clock = models.ForeignKey(Clock, models.CASCADE, null=True, related_name="steps")
    participant = models.ForeignKey(Participant, models.CASCADE, null=True, related_name="steps")
    action = models.CharField(max_length=20, choices=StepAction)
    minute = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField()
    state = models.CharField(max_length=10, choices=StepState, default=StepState.PENDING)
    fired_at = models.DateTimeField(null=True)
    domains = ArrayField(models.CharField(max_length=3), null=True)

    objects = ClockStepQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=StepState.values), name="warroom_step_state_known"
            )
        ]
        indexes = [
            models.Index(
                fields=["due_at", "incident"], name="warroom_step_due", condition=Q(state="pending")
            )
        ]

    def __str__(self) -> str:
        return f"{self.action} of INC-{self.incident_id}"
