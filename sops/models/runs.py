from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q

from core.constraints import both_or_neither
from people.models import Audience
from sops.models.procedures import ProcedureVersion
from sops.states import CloseReason, RunState, Slot, StepState

OUTPUT_LIMIT = 16_000
"""Characters of a step's output that are kept; what is cut is counted."""


class RunQuerySet(models.QuerySet["Run"]):
    def of(self, incident_number: int) -> Self:
        return self.filter(incident_number=incident_number).order_by("-started_at", "-pk")

    def running(self) -> Self:
        return self.filter(state=RunState.RUNNING)

    def with_everything(self) -> Self:
        """Versions are prefetched, not joined: a text is read once however many runs have it."""
        return self.select_related("closed_by").prefetch_related(
            "version__procedure",
            models.Prefetch("steps", RunStep.objects.select_related("by").order_by("number")),
        )

    def lock(self, pk: int) -> "Run":
        return (
            self.select_related("version__procedure")
            .select_for_update(no_key=True, of=("self",))
            .get(pk=pk)
        )


class Run(models.Model):
    """
    One execution of one version of a procedure, for an incident.

    `opened_at` is T0, the opening of the incident: budgets count from it, also after a change
    of class. `incident_class` is the class that the incident had when the run began; a run that
    went on from another procedure has `branched_from`.
    """

    incident_number = models.BigIntegerField()
    version = models.ForeignKey(ProcedureVersion, models.PROTECT, related_name="runs")
    state = models.CharField(max_length=10, choices=RunState, default=RunState.RUNNING)
    incident_class = models.CharField(max_length=16, blank=True, default="")
    branched_from = models.ForeignKey("self", models.PROTECT, null=True, related_name="branches")
    opened_at = models.DateTimeField()
    started_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    closed_reason = models.CharField(max_length=12, choices=CloseReason, blank=True, default="")
    closed_note = models.TextField(blank=True, default="")
    is_drill = models.BooleanField(default=False)
    region = models.CharField(max_length=64, blank=True, default="")
    audience = models.ForeignKey(Audience, models.PROTECT, null=True, related_name="+")

    objects = RunQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["incident_number"],
                condition=Q(state="running"),
                name="sops_run_one_running",
            ),
            models.CheckConstraint(
                condition=Q(state__in=RunState.values), name="sops_run_state_known"
            ),
            models.CheckConstraint(
                condition=Q(state="running", closed_at=None, closed_reason="")
                | (~Q(state="running") & Q(closed_at__isnull=False) & ~Q(closed_reason="")),
                name="sops_run_closed",
            ),
        ]
        indexes = [
            models.Index(fields=["incident_number", "-started_at"], name="sops_run_of_incident"),
            models.Index(fields=["version", "-started_at"], name="sops_run_of_version"),
        ]

    def __str__(self) -> str:
        return f"{self.version} for INC-{self.incident_number}"

    @property
    def running(self) -> bool:
        return self.state == RunState.RUNNING


class RunStepQuerySet(models.QuerySet["RunStep"]):
    def undecided(self) -> Self:
        """In progress, and nobody was told yet that the commander decides."""
        return self.filter(state=StepState.ACTIVE, decide_at__isnull=False, decided_at=None)


class RunStep(models.Model):
    """
    One step of a run. Its text is in the version; here is what people did.

    `decide_at`: the instant of twice its budget, from which the commander decides; `decided_at`
    is set once that was said. `earlier` keeps what former attempts wrote.
    """

    run = models.ForeignKey(Run, models.CASCADE, related_name="steps")
    number = models.PositiveSmallIntegerField()
    start_minute = models.PositiveSmallIntegerField()
    end_minute = models.PositiveSmallIntegerField()
    group = models.CharField(max_length=20, blank=True, default="")
    state = models.CharField(max_length=10, choices=StepState, default=StepState.WAITING)
    bypassed = models.BooleanField(default=False)
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    decide_at = models.DateTimeField(null=True)
    decided_at = models.DateTimeField(null=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    note = models.TextField(blank=True, default="")
    output = models.TextField(blank=True, default="")
    output_cut = models.PositiveIntegerField(default=0)
    went_to = models.CharField(max_length=16, blank=True, default="")
    attempts = models.PositiveSmallIntegerField(default=0)
    earlier = models.JSONField(default=list)

    objects = RunStepQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "number"], name="sops_run_step_once"),
            models.CheckConstraint(
                condition=Q(state__in=StepState.values), name="sops_run_step_state_known"
            ),
            models.CheckConstraint(
                condition=~Q(state="active") | Q(started_at__isnull=False, ended_at=None),
                name="sops_run_step_active_started",
            ),
            models.CheckConstraint(
                condition=~Q(state__in=["done", "failed", "skipped", "branched"])
                | Q(ended_at__isnull=False),
                name="sops_run_step_ended_at",
            ),
            models.CheckConstraint(
                condition=~Q(state="waiting") | Q(started_at=None, ended_at=None),
                name="sops_run_step_waiting",
            ),
            models.CheckConstraint(
                condition=Q(end_minute__gt=models.F("start_minute")), name="sops_run_step_budget"
            ),
            both_or_neither("started_at", "decide_at", name="sops_run_step_decide_at"),
        ]
        indexes = [
            models.Index(
                fields=["decide_at"],
                name="sops_run_step_overdue",
                condition=Q(state="active", decided_at=None),
            )
        ]

    def __str__(self) -> str:
        return f"step {self.number} of run {self.run_id}"

    @property
    def budget(self) -> int:
        return self.end_minute - self.start_minute

    @property
    def slot(self) -> Slot:
        return Slot(
            number=self.number,
            start=self.start_minute,
            end=self.end_minute,
            state=StepState(self.state),
            group=self.group,
            bypassed=self.bypassed,
        )
