from django.conf import settings
from django.db import models


class IdempotencyKey(models.Model):
    """The answer given to a write with an Idempotency-Key, kept for 24 h."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    key = models.CharField(max_length=200)
    request_hash = models.CharField(max_length=64)
    created_at = models.DateTimeField(db_index=True)
    status = models.PositiveSmallIntegerField(null=True)
    answer = models.JSONField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="idempotency_once")]

    def __str__(self) -> str:
        return self.key
