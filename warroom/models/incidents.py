from typing import Any, Self

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex, OpClass
from django.db import models
from django.db.models import Q

from people.models import Audience, User
from warroom.states import (
    HELD,
    LIVE,
    OPEN,
    Action,
    HandOverState,
    ImpactKind,
    IncidentState,
    Standing,
    actions_from,
    may,
)
from warroom.states.titles import headline

LOWEST_TIER = 2
"""Tier 1 exists but is switched off (domain.md 2.3)."""


class IncidentQuerySet(models.QuerySet["Incident"]):
    def open(self) -> Self:
        """Those that still hold their alert group: proposed to restored."""
        return self.filter(state__in=OPEN)

    def live(self) -> Self:
        """Those that are not restored yet."""
        return self.filter(state__in=LIVE)

    def held(self) -> Self:
        """Those with a room in which people may work."""
        return self.filter(state__in=HELD)

    def newest_first(self) -> Self:
        return self.order_by("-opened_at", "-number")

    def with_people(self) -> Self:
        return self.select_related("owner", "commander", "recovery_owner", "first_responder")

    def with_everything(self) -> Self:
        return self.with_people().prefetch_related("clocks", "participants__user", "hand_overs")

    def lock(self, number: int) -> "Incident":
        return self.select_for_update(no_key=True).get(number=number)


def _person(related_name: str = "+") -> "models.ForeignKey[User | None, User | None]":
    return models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name=related_name
    )


class Incident(models.Model):
    """
    What people must answer. Written only by warroom.operations.

    `title` is what a person wrote, or the automatic headline in English at the time;
    pages show `headline`, which is in the reader's language.
    """

    number = models.BigAutoField(primary_key=True)
    title = models.CharField(max_length=300)
    title_code = models.CharField(max_length=40, blank=True, default="")
    title_params = models.JSONField(default=dict)
    state = models.CharField(max_length=12, choices=IncidentState, default=IncidentState.OPEN)
    tier = models.PositiveSmallIntegerField(default=3)
    tier_reason = models.JSONField(default=dict)
    opened_because = models.JSONField(default=dict)
    failure_class = models.CharField(max_length=16, null=True)  # noqa: DJ001 - null: none
    subtype = models.CharField(max_length=40, blank=True, default="")
    event_class = models.CharField(max_length=4, blank=True, default="")
    root = models.JSONField(default=dict)
    affected = models.JSONField(default=dict)
    impact = models.JSONField(default=dict)
    facts = models.JSONField(default=dict)
    impact_kind = models.CharField(max_length=12, choices=ImpactKind, blank=True, default="")
    what_restored = models.TextField(blank=True, default="")
    alert_count = models.PositiveIntegerField(default=0)
    received_count = models.PositiveIntegerField(default=0)
    truncated_count = models.PositiveIntegerField(default=0)
    domains_called = ArrayField(models.CharField(max_length=3), default=list)

    first_responder = _person()
    owner = _person("owned_incidents")
    commander = _person("commanded_incidents")
    recovery_owner = _person("recovery_incidents")

    class_confirmed_by = _person()
    class_confirmed_at = models.DateTimeField(null=True)
    root_confirmed_by = _person()
    root_reason = models.TextField(blank=True, default="")

    occurred_at = models.DateTimeField(null=True)
    occurred_at_original = models.DateTimeField(null=True)
    occurred_confirmed = models.BooleanField(default=False)
    detected_at = models.DateTimeField()
    opened_at = models.DateTimeField()
    acknowledged_at = models.DateTimeField(null=True)
    assembled_at = models.DateTimeField(null=True)
    located_at = models.DateTimeField(null=True)
    restored_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)
    close_reason = models.TextField(blank=True, default="")
    relapses = models.PositiveSmallIntegerField(default=0)

    policy = models.JSONField(default=dict)
    is_drill = models.BooleanField(default=False)
    imported = models.BooleanField(default=False)
    region = models.CharField(max_length=64, blank=True, default="")
    audience = models.ForeignKey(Audience, models.PROTECT, null=True)
    layer = models.CharField(max_length=20, blank=True, default="")
    group_id = models.BigIntegerField(null=True)
    merged_into = models.ForeignKey("self", models.PROTECT, null=True, related_name="merged")
    version = models.PositiveIntegerField(default=1)

    objects = IncidentQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["group_id"],
                condition=Q(state__in=[*OPEN]),
                name="warroom_incident_one_a_group",
            ),
            models.CheckConstraint(
                condition=Q(state__in=IncidentState.values), name="warroom_incident_state_known"
            ),
            models.CheckConstraint(
                condition=Q(tier__gte=1, tier__lte=3), name="warroom_incident_tier_known"
            ),
            models.CheckConstraint(
                condition=Q(state="proposed") | Q(state="rejected") | Q(owner__isnull=False),
                name="warroom_incident_has_owner",
            ),
            models.CheckConstraint(
                condition=Q(merged_into=None) | Q(state="merged"),
                name="warroom_incident_merged_says_so",
            ),
        ]
        indexes = [
            models.Index(fields=["-opened_at", "-number"], name="warroom_incident_newest"),
            models.Index(
                fields=["-opened_at"],
                name="warroom_incident_open",
                condition=Q(state__in=[*OPEN]),
            ),
            models.Index(fields=["group_id"], name="warroom_incident_group"),
            models.Index(fields=["merged_into"], name="warroom_incident_merged"),
            GinIndex(OpClass("affected", "jsonb_path_ops"), name="warroom_incident_affected"),
        ]

    def __str__(self) -> str:
        return f"INC-{self.number}"

    @property
    def headline(self) -> str:
        return headline(self.title, self.title_code, self.title_params)

    @property
    def open(self) -> bool:
        return self.state in OPEN

    @property
    def live(self) -> bool:
        return self.state in LIVE

    def standing_of(self, user: User) -> Standing:
        """What `user` is to this incident. Uses prefetched participants and hand-overs."""
        mine = next((p for p in self.participants.all() if p.user_id == user.pk), None)
        return Standing(
            role="admin" if user.is_superuser else user.role,
            participant=mine.state if mine else "",
            called_for_command=bool(mine and "SRE" in mine.domains),
            commander=self.commander_id == user.pk,
            owner=self.owner_id == user.pk,
            recovery_owner=self.recovery_owner_id == user.pk,
            offered=any(
                h.taker_id == user.pk and h.state == HandOverState.OFFERED
                for h in self.hand_overs.all()
            ),
            lowest_tier=self.tier <= LOWEST_TIER,
        )

    def allowed_actions_for(self, user: Any) -> list[Action]:
        standing = self.standing_of(user)
        return [a for a in actions_from(IncidentState(self.state)) if may(a, standing)]
