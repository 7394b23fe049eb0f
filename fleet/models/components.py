from typing import Self

from django.contrib.postgres.indexes import GinIndex, OpClass
from django.db import models
from django.utils.translation import gettext_lazy as _

from fleet.states import Action, State, actions_from


class Kind(models.TextChoices):
    REGION = "region", _("Region")
    SUPERNODE = "supernode", _("Supernode")
    NODE = "node", _("Node")
    CARD = "card", _("Card")
    PLANE = "plane", _("Plane")
    SWITCH = "switch", _("Switch")
    LINK = "link", _("Link")
    SERVICE = "service", _("Service")
    FACILITY = "facility", _("Facility")
    RACK = "rack", _("Rack")
    LINE = "line", _("Dedicated line")


class ComponentQuerySet(models.QuerySet["Component"]):
    def visible_in(self, regions: list[str]) -> Self:
        """Those that somebody of these regions may see; no region means the whole site."""
        if not regions:
            return self
        return self.filter(models.Q(region="") | models.Q(region__in=regions))

    def of_kind(self, kind: Kind) -> Self:
        return self.filter(kind=kind)

    def under(self, path: str) -> Self:
        """The component at `path` and everything below it."""
        return self.filter(models.Q(path=path) | models.Q(path__startswith=f"{path}/"))

    def unregistered(self) -> Self:
        return self.filter(registered=False)

    def lock(self, path: str) -> "Component":
        return self.select_for_update(no_key=True).get(path=path)


class Component(models.Model):
    """Anything that can break: one tree by `path`. Written only by fleet.operations."""

    path = models.CharField(max_length=180, unique=True)
    kind = models.CharField(max_length=12, choices=Kind)
    name = models.CharField(max_length=120)
    parent = models.ForeignKey("self", models.PROTECT, null=True, related_name="children")
    region = models.CharField(max_length=64, blank=True)
    supernode = models.CharField(max_length=64, blank=True)
    node = models.CharField(max_length=120, blank=True)
    index = models.PositiveSmallIntegerField(null=True)
    state = models.CharField(max_length=12, choices=State, default=State.IN_SERVICE)
    state_since = models.DateTimeField()
    serial = models.CharField(max_length=64, blank=True)
    address = models.CharField(max_length=64, blank=True)
    attributes = models.JSONField(default=dict)
    registered = models.BooleanField(default=True)
    seen_at = models.DateTimeField()

    objects = ComponentQuerySet.as_manager()

    class Meta:
        indexes = [
            # "Everything under this path" is a prefix; LIKE needs the pattern operator class.
            models.Index(OpClass("path", "text_pattern_ops"), name="fleet_component_path_prefix"),
            models.Index("kind", "region", "supernode", name="fleet_component_place"),
            models.Index("kind", "name", name="fleet_component_name"),
            models.Index("node", name="fleet_component_node"),
            models.Index(
                "seen_at", condition=models.Q(registered=False), name="fleet_component_unknown"
            ),
            GinIndex("attributes", name="fleet_component_attributes"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(kind__in=Kind.values), name="fleet_component_kind_known"
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=State.values), name="fleet_component_state_known"
            ),
        ]

    def __str__(self) -> str:
        return self.path

    @property
    def allowed_actions(self) -> list[Action]:
        return actions_from(State(self.state))

    @property
    def devices(self) -> list[int]:
        """The dies of a card, as rank maps count them: card 3 has devices 6 and 7."""
        if self.kind != Kind.CARD or self.index is None:
            return []
        dies = int(self.attributes.get("dies", 2))
        return list(range(self.index * dies, (self.index + 1) * dies))


class Revision(models.Model):
    """One row: a number that grows whenever the tree, a placement or a state changes."""

    only = models.BooleanField(default=True, unique=True, editable=False)
    number = models.PositiveBigIntegerField(default=1)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(only=True), name="fleet_revision_only_one")
        ]

    def __str__(self) -> str:
        return str(self.number)
