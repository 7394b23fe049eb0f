from functools import cached_property
from typing import Self

from django.db import models
from django.db.models import Q

from sops.models.content import Content
from sops.states import VersionState


class Procedure(models.Model):
    """What to do about one failure class. Its text is in its versions."""

    failure_class = models.CharField(max_length=8, primary_key=True)
    order = models.PositiveSmallIntegerField(default=0)

    def __str__(self) -> str:
        return f"SOP-{self.failure_class}"


class ProcedureVersionQuerySet(models.QuerySet["ProcedureVersion"]):
    def published(self) -> Self:
        return self.filter(state=VersionState.PUBLISHED)

    def current(self) -> Self:
        """The newest published version of each procedure, in the order of the library."""
        newest = self.published().order_by("procedure", "-number").distinct("procedure")
        return self.filter(pk__in=newest.values("pk")).order_by("procedure__order")


class ProcedureVersion(models.Model):
    """
    One text of a procedure, in both languages. Immutable once published: a trigger refuses it.

    `content` is what sops.models.content reads; `checksum` is of its meaning.
    """

    procedure = models.ForeignKey(Procedure, models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=10, choices=VersionState, default=VersionState.DRAFT)
    content = models.JSONField()
    checksum = models.CharField(max_length=64)
    shipped = models.BooleanField(default=False)
    created_at = models.DateTimeField()
    published_at = models.DateTimeField(null=True)

    objects = ProcedureVersionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["procedure", "number"], name="sops_version_number"),
            models.CheckConstraint(
                condition=Q(state__in=VersionState.values), name="sops_version_state_known"
            ),
            models.CheckConstraint(
                condition=Q(state="published", published_at__isnull=False)
                | (~Q(state="published") & Q(published_at=None)),
                name="sops_version_published_at",
            ),
        ]

    def __str__(self) -> str:
        return f"SOP-{self.procedure_id} v{self.number}"

    @cached_property
    def text(self) -> Content:
        return Content.read(self.content)
