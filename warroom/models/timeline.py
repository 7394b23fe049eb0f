from django.conf import settings
from django.db import models

from warroom.models.incidents import Incident


class TimelineEntry(models.Model):
    """
    What happened, who did it, and when. Append-only: a trigger refuses any change.

    Automatic rows are a kind and its parameters, rendered in the reader's language;
    `text` holds only what a person wrote. `at` is the instant it counts for (of a clock:
    its deadline), `recorded_at` when the row was written.
    """

    incident = models.ForeignKey(Incident, models.PROTECT, related_name="timeline")
    kind = models.CharField(max_length=60)
    params = models.JSONField(default=dict)
    text = models.TextField(blank=True, default="")
    at = models.DateTimeField()
    recorded_at = models.DateTimeField()
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")

    class Meta:
        verbose_name_plural = "timeline entries"
        indexes = [models.Index(fields=["incident", "at", "id"], name="warroom_timeline_order")]

    def __str__(self) -> str:
        return f"INC-{self.incident_id} {self.kind}"
