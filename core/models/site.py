from django.db import models


class SiteSetting(models.Model):
    """A value that people or the product change while it runs."""

    key = models.CharField(max_length=80, primary_key=True)
    value = models.JSONField()
    changed_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.key


class Heartbeat(models.Model):
    """When something that must keep running last did: the sweep, beat."""

    name = models.CharField(max_length=40, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} {self.at}"
