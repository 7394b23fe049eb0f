from django.db import models
from django.db.models import Q


class Event(models.Model):
    """
    The outbox: something happened that other apps may care about.

    One row in the transaction of the change it tells of. Dispatched rows are kept for a week.
    """

    kind = models.CharField(max_length=60)
    ids = models.JSONField(default=dict)
    created_at = models.DateTimeField()
    due_at = models.DateTimeField()
    dispatched_at = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    last_error = models.TextField(blank=True, default="")

    class Meta:
        indexes = [
            models.Index(
                fields=["due_at", "id"],
                condition=Q(dispatched_at__isnull=True),
                name="event_undispatched",
            ),
            models.Index(fields=["dispatched_at"], name="event_dispatched"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.ids}"
