from django.conf import settings
from django.db import models


class Policy(models.Model):
    """A site's own version of a shipped file of `warroom/data`, in its place."""

    name = models.CharField(max_length=40, primary_key=True)
    body = models.JSONField()
    version = models.PositiveIntegerField(default=1)
    changed_at = models.DateTimeField()
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )

    class Meta:
        verbose_name_plural = "policies"

    def __str__(self) -> str:
        return self.name
