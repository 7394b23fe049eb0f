from datetime import datetime
from typing import Self

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import DurationField, ExpressionWrapper, F, Q

from core.constraints import one_of
from people.models import Audience
from recovery.states import ReportEvent, StageSlug
from warroom.models import Incident


class RecoveryQuerySet(models.QuerySet["Recovery"]):
    def counted(self) -> Self:
        """What statistics count: drills never (I10)."""
        return self.filter(is_drill=False)

    def of_faults_between(self, start: datetime, end: datetime) -> Self:
        return self.filter(fault_at__gte=start, fault_at__lt=end)

    def succeeded(self) -> Self:
        return self.filter(success=True)

    def with_total(self) -> Self:
        """`total`: from the fault to the first step after the restart."""
        total = ExpressionWrapper(F("first_step_at") - F("fault_at"), output_field=DurationField())
        return self.annotate(total=total)

    def newest_first(self) -> Self:
        return self.order_by("-fault_at", "-pk")


class Recovery(models.Model):
    """
    One restart of a job. Everything here is folded from its reports, in whatever order they
    came; durations are differences of instants and stand in no column (I12).
    """

    recovery_id = models.CharField(max_length=500)
    job_id = models.CharField(max_length=200)
    incident = models.ForeignKey(Incident, models.PROTECT, null=True, related_name="recoveries")
    fault_at = models.DateTimeField()
    first_step_at = models.DateTimeField(null=True)
    caught_up_at = models.DateTimeField(null=True)
    failed_at = models.DateTimeField(null=True)
    success = models.BooleanField(default=False)
    failure_reason = models.TextField(blank=True, default="")
    strategy = models.CharField(max_length=80, blank=True, default="")
    fell_back_from = models.CharField(max_length=80, blank=True, default="")
    level = models.CharField(max_length=40, blank=True, default="")
    levers = ArrayField(models.CharField(max_length=80), default=list)
    spare_used = models.BooleanField(null=True)
    step_at_fault = models.PositiveBigIntegerField(null=True)
    checkpoint_step = models.PositiveBigIntegerField(null=True)
    lost_steps = models.PositiveBigIntegerField(null=True)
    cards = models.PositiveIntegerField(default=0)
    is_drill = models.BooleanField(default=False)
    imported = models.BooleanField(default=False)
    region = models.CharField(max_length=64, blank=True, default="")
    audience = models.ForeignKey(Audience, models.PROTECT, null=True)

    objects = RecoveryQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "recoveries"
        constraints = [
            models.UniqueConstraint(fields=["job_id", "recovery_id"], name="recovery_once"),
            models.CheckConstraint(
                condition=Q(success=False) | Q(first_step_at__gte=F("fault_at")),
                name="recovery_success_has_first_step",
            ),
        ]
        indexes = [
            models.Index(fields=["-fault_at", "-id"], name="recovery_newest"),
            models.Index(fields=["job_id", "-fault_at"], name="recovery_of_job"),
        ]

    def __str__(self) -> str:
        return f"{self.job_id} {self.recovery_id}"

    @property
    def total_seconds(self) -> float | None:
        """From the fault to the first step after the restart: the 188 → 20 measure."""
        return (
            (self.first_step_at - self.fault_at).total_seconds()
            if self.first_step_at and self.success
            else None
        )

    @property
    def card_hours_lost(self) -> float | None:
        """Cards × (recovery + recomputation), in card-hours (domain.md 5.2)."""
        end = self.caught_up_at or self.first_step_at
        if end is None or not self.cards:
            return None
        return round(self.cards * (end - self.fault_at).total_seconds() / 3600, 2)


class Report(models.Model):
    """What a controller said, once: a repetition has the same digest."""

    recovery = models.ForeignKey(Recovery, models.CASCADE, related_name="reports")
    digest = models.CharField(max_length=64)
    event = models.CharField(max_length=20, choices=ReportEvent)
    at = models.DateTimeField()
    body = models.JSONField()
    received_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["recovery", "digest"], name="recovery_report_once"),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.at}"


class Stage(models.Model):
    """One interval of a stage; a stage that ran twice (a fall-back) has two."""

    recovery = models.ForeignKey(Recovery, models.CASCADE, related_name="stages")
    stage = models.CharField(max_length=24, choices=StageSlug)
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    detail = models.JSONField(default=dict)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["recovery", "stage", "started_at"], name="recovery_stage_once"
            ),
            models.CheckConstraint(
                condition=Q(ended_at=None) | Q(ended_at__gte=F("started_at")),
                name="recovery_stage_forward",
            ),
            one_of("stage", StageSlug.values, name="recovery_stage_known"),
        ]

    def __str__(self) -> str:
        return f"{self.stage} {self.started_at}"

    @property
    def seconds(self) -> float | None:
        return (self.ended_at - self.started_at).total_seconds() if self.ended_at else None
