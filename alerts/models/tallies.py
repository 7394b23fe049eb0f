from django.db import models

from people.models import Audience


class Tally(models.Model):
    """What arrived in one minute (by receipt): written once a batch, read by the board."""

    minute = models.DateTimeField()
    region = models.CharField(max_length=64, blank=True, default="")
    audience = models.ForeignKey(Audience, models.CASCADE, null=True)
    is_drill = models.BooleanField(default=False)
    episodes = models.PositiveIntegerField(default=0)
    received = models.PositiveIntegerField(default=0)
    truncated = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["minute", "region", "audience", "is_drill"],
                nulls_distinct=False,
                name="alerts_tally_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.minute:%H:%M} {self.received}"
