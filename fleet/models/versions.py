from django.db import models

from fleet.models.components import Component


class VersionBaseline(models.Model):
    """What every node of a region should run. No region: the whole site."""

    region = models.CharField(max_length=64, blank=True)
    package = models.CharField(max_length=40)
    version = models.CharField(max_length=80)
    set_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["region", "package"], name="fleet_baseline_once"),
        ]

    def __str__(self) -> str:
        return f"{self.package} {self.version}"


class NodeVersion(models.Model):
    """What a node was last seen to run."""

    node = models.ForeignKey(Component, models.CASCADE, related_name="versions")
    package = models.CharField(max_length=40)
    version = models.CharField(max_length=80)
    seen_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["node", "package"], name="fleet_node_version_once"),
        ]

    def __str__(self) -> str:
        return f"{self.node} {self.package} {self.version}"
