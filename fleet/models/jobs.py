from datetime import datetime
from typing import Self

from django.db import models

from core.constraints import both_or_neither
from fleet.models.components import Component
from fleet.states import PLACED_JOBS, JobState


class JobQuerySet(models.QuerySet["Job"]):
    def visible_in(self, regions: list[str]) -> Self:
        if not regions:
            return self
        return self.filter(models.Q(region="") | models.Q(region__in=regions))

    def placed(self) -> Self:
        return self.filter(state__in=PLACED_JOBS)

    def lock(self, job_id: str) -> "Job":
        return self.select_for_update(no_key=True).get(job_id=job_id)


class Job(models.Model):
    """A training job. People count `cards`; `ranks` counts devices."""

    job_id = models.CharField(max_length=120, unique=True)
    name = models.CharField(max_length=200)
    region = models.CharField(max_length=64, blank=True)
    state = models.CharField(max_length=12, choices=JobState, default=JobState.PENDING)
    priority = models.PositiveSmallIntegerField(default=50)
    customer = models.CharField(max_length=120, blank=True)
    owner_team = models.CharField(max_length=120, blank=True)
    cards = models.PositiveIntegerField(default=0)
    nodes = models.PositiveIntegerField(default=0)
    ranks = models.PositiveIntegerField(default=0)
    baseline_step_seconds = models.FloatField(null=True)
    checkpoint_interval_seconds = models.PositiveIntegerField(null=True)
    last_step = models.PositiveBigIntegerField(null=True)
    last_step_at = models.DateTimeField(null=True)
    last_checkpoint_step = models.PositiveBigIntegerField(null=True)
    last_checkpoint_at = models.DateTimeField(null=True)

    objects = JobQuerySet.as_manager()

    class Meta:
        indexes = [models.Index("region", "state", name="fleet_job_place")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state__in=JobState.values), name="fleet_job_state_known"
            ),
            both_or_neither("last_step", "last_step_at", name="fleet_job_step"),
            both_or_neither(
                "last_checkpoint_step", "last_checkpoint_at", name="fleet_job_checkpoint"
            ),
        ]

    def __str__(self) -> str:
        return self.job_id


class Placement(models.Model):
    """A job runs on this supernode or node; its ranks there begin with `first_rank`."""

    job = models.ForeignKey(Job, models.CASCADE, related_name="placements")
    component = models.ForeignKey(Component, models.PROTECT, related_name="placements")
    first_rank = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["job", "component"], name="fleet_placement_once"),
        ]

    def __str__(self) -> str:
        return f"{self.job} @ {self.component}"


class ServiceUse(models.Model):
    """A job stands still when this service does."""

    job = models.ForeignKey(Job, models.CASCADE, related_name="services")
    component = models.ForeignKey(Component, models.PROTECT, related_name="users")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["job", "component"], name="fleet_service_use_once"),
        ]

    def __str__(self) -> str:
        return f"{self.job} uses {self.component}"


class Checkpoint(models.Model):
    """What is known of one saved state of a job; usable when complete and verified."""

    job = models.ForeignKey(Job, models.CASCADE, related_name="checkpoints")
    step = models.PositiveBigIntegerField()
    snapshot_at = models.DateTimeField(null=True)
    persisted_at = models.DateTimeField(null=True)
    verified_at = models.DateTimeField(null=True)
    shards = models.PositiveIntegerField(null=True)
    expected = models.PositiveIntegerField(null=True)
    regions = models.JSONField(default=list)
    recorded_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["job", "step"], name="fleet_checkpoint_once"),
        ]

    def __str__(self) -> str:
        return f"{self.job} step {self.step}"

    @property
    def complete(self) -> bool:
        return self.shards is None or self.expected is None or self.shards >= self.expected

    @property
    def usable(self) -> bool:
        return self.verified_at is not None and self.complete


class AssuredWindowQuerySet(models.QuerySet["AssuredWindow"]):
    def covering(self, at: datetime) -> Self:
        return self.filter(starts_at__lte=at, ends_at__gt=at)


class AssuredWindow(models.Model):
    """The job is under an assurance campaign from `starts_at` until before `ends_at`."""

    job = models.ForeignKey(Job, models.CASCADE, related_name="windows")
    name = models.CharField(max_length=200, blank=True)
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()

    objects = AssuredWindowQuerySet.as_manager()

    class Meta:
        indexes = [models.Index("job", "starts_at", name="fleet_window_of_job")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(ends_at__gt=models.F("starts_at")), name="fleet_window_forward"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.job} {self.starts_at:%F} to {self.ends_at:%F}"
