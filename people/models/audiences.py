from django.conf import settings
from django.db import models


class Audience(models.Model):
    """A closed circle: rows that carry it are seen by its members only."""

    name = models.CharField(max_length=100, unique=True)
    members = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="audiences", blank=True)

    def __str__(self) -> str:
        return self.name
