from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models

from people.states import Scope


class ApiToken(models.Model):
    """A bearer token of a person. Only its SHA-256 is kept; the token is shown once."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=100)
    digest = models.CharField(max_length=64, unique=True)
    ends_with = models.CharField(max_length=4)
    scopes = ArrayField(models.CharField(max_length=10, choices=Scope), default=list, blank=True)
    created_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.name} …{self.ends_with}"

    def allows(self, scope: str) -> bool:
        return Scope.ALL in self.scopes or scope in self.scopes
