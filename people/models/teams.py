from django.conf import settings
from django.db import models
from django.utils.translation import get_language

from people.states import Domain


class Team(models.Model):
    """The people of one domain, with the two levels above whoever is on duty."""

    domain = models.CharField(max_length=3, choices=Domain, unique=True)
    name_en = models.CharField(max_length=100)
    name_zh = models.CharField(max_length=100)
    manager = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="manages"
    )
    next_level = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="heads"
    )
    members = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="teams", blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(domain__in=Domain.values), name="people_team_domain_known"
            ),
        ]

    def __str__(self) -> str:
        return self.domain

    @property
    def name(self) -> str:
        return self.name_zh if (get_language() or "").startswith("zh") else self.name_en


class SiteDuty(models.Model):
    """The duty of last resort: where every step goes that finds nobody. One row a site."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    only = models.BooleanField(default=True, unique=True, editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(only=True), name="people_site_duty_only_one")
        ]

    def __str__(self) -> str:
        return str(self.user)
