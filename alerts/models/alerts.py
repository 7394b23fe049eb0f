from typing import Self

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models

from alerts.models.groups import AlertGroup
from alerts.models.sources import Source
from alerts.states import AlertRole, AlertState, Severity
from people.models import Audience


class AlertQuerySet(models.QuerySet["Alert"]):
    def newest_first(self) -> Self:
        return self.order_by("-starts_at", "-pk")

    def firing(self) -> Self:
        return self.filter(state=AlertState.FIRING)


class Finding(models.Model):
    """What classification said about an alert, or about one episode of it."""

    severity = models.CharField(max_length=10, choices=Severity)
    role = models.CharField(max_length=10, choices=AlertRole, default=AlertRole.UNKNOWN)
    component_path = models.CharField(max_length=300, blank=True, default="")
    component_kind = models.CharField(max_length=20, blank=True, default="")
    job_id = models.CharField(max_length=200, blank=True, default="")
    failure_class = models.CharField(max_length=10, blank=True, default="")
    event_class = models.CharField(max_length=4, blank=True, default="")
    fault_code = models.CharField(max_length=100, blank=True, default="")
    # Why: which rule, which label named the component, what was guessed.
    why = models.JSONField(default=list)

    class Meta:
        abstract = True


class Alert(Finding):
    """
    One condition at one sender. Written only by alerts.operations, set-based.

    Its state is a function of `marks`, the set of starts and ends that were told
    (alerts.states_of), so that order and repetition do not matter.
    """

    source = models.ForeignKey(Source, models.PROTECT)
    fingerprint = models.CharField(max_length=128)
    name = models.CharField(max_length=300)
    state = models.CharField(max_length=10, choices=AlertState)
    flapping = models.BooleanField(default=False)
    last_change_at = models.DateTimeField()
    # As the sender says it; `event_at` is the same, clamped to 24 h before and 2 min after receipt.
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField(null=True)
    event_at = models.DateTimeField()
    first_seen_at = models.DateTimeField()
    last_seen_at = models.DateTimeField()
    received_count = models.PositiveBigIntegerField(default=0)
    episode = models.PositiveIntegerField(default=0)
    marks = models.JSONField(default=dict)
    group = models.ForeignKey(AlertGroup, models.PROTECT, null=True)
    is_drill = models.BooleanField(default=False)
    region = models.CharField(max_length=64, blank=True, default="")
    audience = models.ForeignKey(Audience, models.PROTECT, null=True)
    labels = models.JSONField(default=dict)
    annotations = models.JSONField(default=dict)
    generator_url = models.TextField(blank=True, default="")
    # Slugs of what we had to assume: severity_unknown, cut, fingerprint_made …
    notes = ArrayField(models.CharField(max_length=60), default=list)
    # Words to be found by: whole label values and their parts (alerts.queries.terms).
    terms = SearchVectorField(null=True)

    objects = AlertQuerySet.as_manager()

    class Meta:
        db_table = "alerts"
        constraints = [
            models.UniqueConstraint(fields=["source", "fingerprint"], name="alerts_once"),
            models.CheckConstraint(
                condition=models.Q(state__in=AlertState.values), name="alerts_state_known"
            ),
            models.CheckConstraint(
                condition=models.Q(severity__in=Severity.values), name="alerts_severity_known"
            ),
        ]
        indexes = [
            models.Index(fields=["-starts_at", "-id"], name="alerts_newest"),
            models.Index(fields=["group", "-starts_at"], name="alerts_by_group"),
            models.Index(fields=["job_id", "-starts_at"], name="alerts_by_job"),
            models.Index(
                fields=["component_path"],
                name="alerts_by_component",
                opclasses=["text_pattern_ops"],
            ),
            models.Index(fields=["id"], name="alerts_firing", condition=models.Q(state="firing")),
            models.Index(fields=["id"], name="alerts_flapping", condition=models.Q(flapping=True)),
            GinIndex(fields=["terms"], name="alerts_terms"),
        ]

    def __str__(self) -> str:
        return self.name


class Episode(Finding):
    """
    One firing of an alert, from a start to its resolve. It belongs to one group.

    The table is made anew in SQL (0002): partitioned by month of `event_at`, primary
    key (id, event_at), unique by alert and start.
    """

    pk = models.CompositePrimaryKey("id", "event_at")
    id = models.BigIntegerField()
    event_at = models.DateTimeField()
    alert = models.ForeignKey(
        Alert, models.DO_NOTHING, related_name="episodes", db_constraint=False
    )
    number = models.PositiveIntegerField()
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField(null=True)
    first_seen_at = models.DateTimeField()
    last_seen_at = models.DateTimeField()
    received_count = models.PositiveBigIntegerField(default=1)
    group = models.ForeignKey(
        AlertGroup, models.DO_NOTHING, null=True, related_name="episodes", db_constraint=False
    )

    class Meta:
        db_table = "alert_episodes"

    def __str__(self) -> str:
        return f"{self.alert_id}/{self.number}"
