from django.db import models
from django.utils.translation import get_language


class _Named(models.Model):
    name_en = models.CharField(max_length=200)
    name_zh = models.CharField(max_length=200)

    class Meta:
        abstract = True

    @property
    def name(self) -> str:
        return self.name_zh if (get_language() or "").startswith("zh") else self.name_en


class FailureClass(_Named):
    """One of the scenarios that have a procedure; a table, so that a seventh can be added."""

    code = models.CharField(max_length=8, primary_key=True)
    order = models.PositiveSmallIntegerField(unique=True)
    description_en = models.TextField()
    description_zh = models.TextField()
    signals = models.JSONField(default=list)
    source = models.TextField(blank=True)
    proposal = models.BooleanField(default=False)

    def __str__(self) -> str:
        return self.code

    @property
    def description(self) -> str:
        chinese = (get_language() or "").startswith("zh")
        return self.description_zh if chinese else self.description_en


class EventClass(_Named):
    """What physically happened to a chip, E1 to E7; apart from how it is handled."""

    code = models.CharField(max_length=8, primary_key=True)
    action_en = models.TextField()
    action_zh = models.TextField()
    failure_class = models.ForeignKey(FailureClass, models.PROTECT, null=True)
    event_ids = models.JSONField(default=list)
    nvidia = models.CharField(max_length=200, blank=True)
    source = models.TextField(blank=True)
    proposal = models.BooleanField(default=True)

    def __str__(self) -> str:
        return self.code

    @property
    def action(self) -> str:
        return self.action_zh if (get_language() or "").startswith("zh") else self.action_en


class FaultCode(_Named):
    """A code that hardware or software reports. `proposal`: its event class is our own."""

    code = models.CharField(max_length=40, primary_key=True)
    module = models.CharField(max_length=60, blank=True)
    fault_class = models.CharField(max_length=40, blank=True)
    event_class = models.ForeignKey(EventClass, models.PROTECT, null=True)
    clears = models.BooleanField(default=False)
    handling_level = models.CharField(max_length=40, blank=True)
    frequency_rule = models.CharField(max_length=120, blank=True)
    source = models.TextField(blank=True)
    proposal = models.BooleanField(default=True)

    def __str__(self) -> str:
        return self.code


class Indicator(_Named):
    """A measure worth watching. A threshold marked `proposal` is nobody's published limit."""

    code = models.CharField(max_length=12, primary_key=True)
    layer = models.CharField(max_length=40)
    component = models.CharField(max_length=40)
    unit = models.CharField(max_length=20, blank=True)
    metric_name = models.CharField(max_length=200)
    exporter = models.CharField(max_length=100)
    name_kind = models.CharField(max_length=12)
    direction = models.CharField(max_length=12)
    warning = models.CharField(max_length=100, blank=True)
    critical = models.CharField(max_length=100, blank=True)
    threshold_basis = models.CharField(max_length=100)
    failure_class = models.CharField(max_length=40, blank=True)
    event_class = models.CharField(max_length=20, blank=True)
    nvidia_equivalent = models.CharField(max_length=200, blank=True)
    source = models.CharField(max_length=200, blank=True)
    proposal = models.BooleanField(default=False)

    def __str__(self) -> str:
        return self.code


class ReferenceVersion(models.Model):
    """One row for each content that a shipped table ever had here."""

    table = models.CharField(max_length=40)
    digest = models.CharField(max_length=64)
    rows = models.PositiveIntegerField()
    loaded_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "digest"], name="fleet_reference_once"),
        ]

    def __str__(self) -> str:
        return f"{self.table} {self.digest[:8]}"
