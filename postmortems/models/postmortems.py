from typing import Self

from django.db import models

from core.constraints import one_of
from people.models import Audience
from postmortems.states import PostmortemState
from warroom.models import Incident


class PostmortemQuerySet(models.QuerySet["Postmortem"]):
    def newest_first(self) -> Self:
        return self.select_related("incident").order_by("-drafted_at", "-pk")

    def unfinished(self) -> Self:
        return self.exclude(state=PostmortemState.PUBLISHED).filter(is_drill=False)


class Postmortem(models.Model):
    """
    What an incident taught us. Written only by postmortems.operations.

    `sections` is what the draft says: codes and parameters, rendered in the reader's language.
    The timeline is not copied: it is append-only, and the reader shows it as it is.
    """

    incident = models.OneToOneField(Incident, models.PROTECT, related_name="postmortem")
    state = models.CharField(max_length=12, choices=PostmortemState, default=PostmortemState.DRAFT)
    sections = models.JSONField(default=list)
    drafted_at = models.DateTimeField()
    due_at = models.DateTimeField()
    tier = models.PositiveSmallIntegerField()
    failure_class = models.CharField(max_length=16, blank=True, default="")
    is_drill = models.BooleanField(default=False)
    region = models.CharField(max_length=64, blank=True, default="")
    audience = models.ForeignKey(Audience, models.PROTECT, null=True)
    version = models.PositiveIntegerField(default=1)

    objects = PostmortemQuerySet.as_manager()

    class Meta:
        constraints = [
            one_of("state", PostmortemState.values, name="postmortem_state_known"),
        ]
        indexes = [
            models.Index(fields=["-drafted_at", "-id"], name="postmortem_newest"),
            models.Index(
                fields=["due_at"],
                name="postmortem_unfinished",
                condition=~models.Q(state="published") & models.Q(is_drill=False),
            ),
        ]

    def __str__(self) -> str:
        return f"PM-{self.pk} {self.incident}"
