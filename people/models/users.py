from datetime import tzinfo
from typing import ClassVar, Self
from zoneinfo import ZoneInfo

from django.contrib.auth.models import AbstractUser, UserManager
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from people.states import SCOPES_OF_ROLE, Role, Scope

LANGUAGES = [("en", "English"), ("zh-hans", "简体中文")]


class UserQuerySet(models.QuerySet["User"]):
    def active(self) -> Self:
        return self.filter(is_active=True)

    def by_name(self) -> Self:
        return self.order_by("name", "username")


class UserObjects(UserManager["User"].from_queryset(UserQuerySet)):  # type: ignore[misc]
    """Django's own manager (create_user and friends) over our query set."""

    use_in_migrations = False


class User(AbstractUser):
    """A person who can be asked, and can answer. `regions` empty: the whole site."""

    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    name = models.CharField(_("name"), max_length=100)
    language = models.CharField(_("language"), max_length=10, choices=LANGUAGES, default="en")
    time_zone = models.CharField(_("time zone"), max_length=64, default="Asia/Shanghai")
    role = models.CharField(_("role"), max_length=20, choices=Role, default=Role.ENGINEER)
    regions = ArrayField(models.CharField(max_length=64), default=list, blank=True)
    phone = models.CharField(_("phone"), max_length=40, blank=True)

    REQUIRED_FIELDS: ClassVar[list[str]] = ["name", "email"]

    objects = UserObjects()  # type: ignore[misc]

    class Meta:
        verbose_name = _("person")
        verbose_name_plural = _("people")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(role__in=Role.values), name="people_user_role_known"
            ),
        ]

    def __str__(self) -> str:
        return self.name or self.username

    def get_full_name(self) -> str:
        return str(self)

    def get_short_name(self) -> str:
        return str(self)

    @property
    def zone(self) -> tzinfo:
        return ZoneInfo(self.time_zone)

    @property
    def scopes(self) -> frozenset[Scope]:
        """What this person may do when signed in without a token."""
        return SCOPES_OF_ROLE[Role.ADMIN if self.is_superuser else Role(self.role)]

    def at_least(self, role: Role | str) -> bool:
        order = list(Role)
        return self.is_superuser or order.index(Role(self.role)) >= order.index(Role(role))
