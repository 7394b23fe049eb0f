from typing import Self

from django.contrib.postgres.fields import ArrayField
from django.db import models

from alerts.states import Severity, SourceKind
from people.models import Audience


class SourceQuerySet(models.QuerySet["Source"]):
    def by_name(self) -> Self:
        return self.order_by("name", "pk")

    def lock(self, pk: int) -> "Source":
        return self.select_for_update(no_key=True).get(pk=pk)


class Source(models.Model):
    """One sender with its own key. The key is shown once; only its SHA-256 is kept."""

    name = models.CharField(max_length=100, unique=True)
    kind = models.CharField(max_length=20, choices=SourceKind)
    key_hash = models.CharField(max_length=64, unique=True)
    key_ends_with = models.CharField(max_length=4)
    enabled = models.BooleanField(default=True)
    region = models.CharField(max_length=64, blank=True, default="")
    audience = models.ForeignKey(Audience, models.PROTECT, null=True, blank=True)
    default_severity = models.CharField(max_length=10, choices=Severity, default=Severity.WARNING)
    # Which labels name the node, card, job …: {"node": ["host", "ident"], …}; empty: the defaults.
    label_map = models.JSONField(default=dict, blank=True)
    # Labels that change with each repeat and so are left out of a made-up fingerprint.
    volatile_labels = ArrayField(models.CharField(max_length=128), default=list, blank=True)
    is_drill = models.BooleanField(default=False)
    # Hours without news after which a firing alert becomes stale. PROPOSAL: three repeat intervals.
    stale_after_hours = models.PositiveSmallIntegerField(default=12)
    created_at = models.DateTimeField()
    last_receipt_at = models.DateTimeField(null=True, blank=True)
    last_receipt_id = models.UUIDField(null=True, blank=True)
    last_error = models.TextField(blank=True, default="")
    last_error_at = models.DateTimeField(null=True, blank=True)
    version = models.PositiveIntegerField(default=1)

    objects = SourceQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(default_severity__in=Severity.values),
                name="alerts_source_severity_known",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Refusal(models.Model):
    """How often an address, or a source, was refused a body: 401, 413 and the like."""

    address = models.CharField(max_length=64)
    source = models.ForeignKey(Source, models.CASCADE, null=True, blank=True)
    status = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=40)
    count = models.PositiveBigIntegerField(default=1)
    first_at = models.DateTimeField()
    last_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["address", "status", "kind", "source"],
                nulls_distinct=False,
                name="alerts_refusal_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.status} {self.address} ×{self.count}"
