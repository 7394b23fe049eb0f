from django.conf import settings
from django.db import models

from people.models.teams import Team
from people.states import Slot


class RosterQuerySet(models.QuerySet["Roster"]):
    def lock(self, pk: int) -> "Roster":
        return self.select_for_update(no_key=True, of=("self",)).select_related("team").get(pk=pk)


class Roster(models.Model):
    """
    A weekly rotation of one domain, for one region or (empty) for all.

    Its weeks begin on the weekday of `anchor_date` at `handover_at`, local wall time of
    `time_zone`; the week of `anchor_date` belongs to the first shift.
    """

    team = models.ForeignKey(Team, models.PROTECT, related_name="rosters")
    region = models.CharField(max_length=64, blank=True)
    time_zone = models.CharField(max_length=64)
    anchor_date = models.DateField()
    handover_at = models.TimeField()
    version = models.PositiveIntegerField(default=1)

    objects = RosterQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["team", "region"], name="people_roster_one_a_region"),
        ]

    def __str__(self) -> str:
        return f"{self.team.domain} {self.region}".strip()


class Shift(models.Model):
    """One place in the rotation: who is primary and who is backup in that week."""

    roster = models.ForeignKey(Roster, models.CASCADE, related_name="shifts")
    position = models.PositiveSmallIntegerField()
    primary = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+"
    )
    backup = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["roster", "position"],
                name="people_shift_one_a_position",
                deferrable=models.Deferrable.DEFERRED,
            ),
            models.CheckConstraint(
                condition=models.Q(primary=None)
                | models.Q(backup=None)
                | ~models.Q(primary=models.F("backup")),
                name="people_shift_two_people",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.roster_id}/{self.position}"


class Override(models.Model):
    """For a while, somebody else has the place of the primary or the backup."""

    roster = models.ForeignKey(Roster, models.CASCADE, related_name="overrides")
    slot = models.CharField(max_length=10, choices=Slot, default=Slot.PRIMARY)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    reason = models.CharField(max_length=200, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta:
        indexes = [models.Index(fields=["roster", "ends_at"], name="people_override_ends")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(ends_at__gt=models.F("starts_at")),
                name="people_override_forward",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} {self.starts_at:%Y-%m-%d %H:%M}"
