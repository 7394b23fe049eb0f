from django.conf import settings
from django.db import models

from core.constraints import one_of
from notifications.states import ChannelKind


class Channel(models.Model):
    """
    One way to reach a person, in the order of `position`. The inbox is always there.

    Whoever has no row is reached by the mail address of the profile.
    """

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="channels")
    slug = models.CharField(max_length=20)
    kind = models.CharField(max_length=10, choices=ChannelKind, default=ChannelKind.MAIL)
    address = models.EmailField()
    position = models.PositiveSmallIntegerField(default=0)
    enabled = models.BooleanField(default=True)
    last_ok_at = models.DateTimeField(null=True, blank=True)
    last_failed_at = models.DateTimeField(null=True, blank=True)
    last_answer = models.CharField(max_length=500, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["person", "slug"], name="channel_slug_once"),
            one_of("kind", [ChannelKind.MAIL], name="channel_kind_known"),
        ]

    def __str__(self) -> str:
        return f"{self.slug}: {self.address}"
