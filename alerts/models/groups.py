from typing import Any, Self

from django.db import models

from alerts.states import GroupState
from people.models import Audience


class AlertGroupQuerySet(models.QuerySet["AlertGroup"]):
    def open(self) -> Self:
        return self.filter(state__in=[GroupState.OPEN, GroupState.QUIET])

    def newest_first(self) -> Self:
        return self.order_by("-first_event_at", "-pk")

    def lock(self, pk: int) -> "AlertGroup":
        return self.select_for_update(no_key=True).get(pk=pk)


def no_affected() -> dict[str, Any]:
    return {"jobs": [], "nodes": 0, "cards": 0, "supernodes": 0}


class AlertGroup(models.Model):
    """
    Alerts that one cause explains. Written only by alerts.operations.

    Everything from `failure_class` to `facts` is computed by the engine from the
    set of the group's episodes, and is computed again whenever that set changes.
    """

    state = models.CharField(max_length=10, choices=GroupState, default=GroupState.OPEN)
    key = models.CharField(max_length=200, blank=True, default="")
    failure_class = models.CharField(max_length=10, null=True)  # noqa: DJ001 - null: monitoring
    subtype = models.CharField(max_length=40, blank=True, default="")
    event_class = models.CharField(max_length=4, blank=True, default="")
    root = models.JSONField(default=dict)
    affected = models.JSONField(default=no_affected)
    impact = models.JSONField(default=dict)
    facts = models.JSONField(default=dict)
    alert_count = models.PositiveIntegerField(default=0)
    received_count = models.PositiveIntegerField(default=0)
    truncated_count = models.PositiveIntegerField(default=0)
    # What senders said they cut, by "<source>:<their group>": a repeat says it again.
    truncations = models.JSONField(default=dict)
    first_event_at = models.DateTimeField()
    last_event_at = models.DateTimeField()
    first_seen_at = models.DateTimeField()
    last_seen_at = models.DateTimeField()
    quiet_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)
    region = models.CharField(max_length=64, blank=True, default="")
    audience = models.ForeignKey(Audience, models.PROTECT, null=True, blank=True)
    is_drill = models.BooleanField(default=False)
    incident_number = models.IntegerField(null=True)
    incident_open = models.BooleanField(default=False)
    merged_into = models.ForeignKey("self", models.PROTECT, null=True, related_name="merged")

    objects = AlertGroupQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state__in=GroupState.values), name="alerts_group_state_known"
            ),
            models.CheckConstraint(
                condition=models.Q(merged_into=None) | models.Q(state=GroupState.MERGED),
                name="alerts_group_merged_says_so",
            ),
        ]
        indexes = [
            models.Index(
                fields=["last_event_at"],
                name="alerts_group_open",
                condition=models.Q(state__in=[GroupState.OPEN, GroupState.QUIET]),
            ),
            models.Index(fields=["-first_event_at", "-id"], name="alerts_group_newest"),
            models.Index(fields=["incident_number"], name="alerts_group_incident"),
        ]

    def __str__(self) -> str:
        return f"G-{self.pk}"
