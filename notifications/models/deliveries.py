from datetime import datetime
from typing import Self
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from core.constraints import one_of
from notifications.states import PENDING, ChannelKind, Reason, State
from people.models import Audience, User
from people.queries import visible


class DeliveryQuerySet(models.QuerySet["Delivery"]):
    def pending(self) -> Self:
        return self.filter(state__in=PENDING)

    def due(self, at: datetime) -> Self:
        """Queued and due, or taken by a sender whose lease ran out."""
        return self.pending().filter(next_at__lte=at)

    def visible_to(self, user: User) -> Self:
        """One's own, and those of incidents that the person may see."""
        ids = visible(self.order_by(), user).filter(incident_number__isnull=False).values("pk")
        return self.filter(Q(person=user) | Q(pk__in=ids))

    def inbox_of(self, person_id: int) -> Self:
        return self.filter(person_id=person_id, channel=ChannelKind.INBOX, state=State.SENT)

    def unread_first(self) -> Self:
        return self.order_by(F("read_at").asc(nulls_first=True), "-requested_at", "-pk")


class Delivery(models.Model):
    """
    One message of one step to one person through one channel; written by operations only.

    `message_id` stays the same over retries, so that a copy sent again after a kill can be
    recognised. A delivery of the inbox is its own message: it is sent when it is written.
    """

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    step_key = models.CharField(max_length=120)
    channel = models.CharField(max_length=20)
    address = models.CharField(max_length=254, blank=True)
    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    reason = models.CharField(max_length=20, choices=Reason, blank=True, default="")
    message_id = models.UUIDField(default=uuid4, unique=True, editable=False)

    template = models.CharField(max_length=60)
    params = models.JSONField(default=dict)
    incident_number = models.BigIntegerField(null=True, blank=True)
    tier = models.PositiveSmallIntegerField(default=3)
    url = models.CharField(max_length=300, blank=True)
    is_drill = models.BooleanField(default=False)
    region = models.CharField(max_length=64, blank=True, default="")
    audience = models.ForeignKey(Audience, models.PROTECT, null=True, blank=True, related_name="+")

    requested_at = models.DateTimeField()
    next_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, blank=True)
    read_at = models.DateTimeField(null=True, blank=True)
    attempt_count = models.PositiveSmallIntegerField(default=0)
    is_repeat = models.BooleanField(default=False)
    answer = models.CharField(max_length=500, blank=True, default="")

    objects = DeliveryQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "deliveries"
        constraints = [
            models.UniqueConstraint(
                fields=["person", "step_key", "channel"], name="delivery_once_a_step_and_channel"
            ),
            one_of("state", State.values, name="delivery_state_known"),
            models.CheckConstraint(
                condition=Q(state=State.SENT) | Q(sent_at__isnull=True), name="delivery_sent_at"
            ),
        ]
        indexes = [
            models.Index(
                fields=["next_at"], condition=Q(state__in=list(PENDING)), name="delivery_pending"
            ),
            models.Index(fields=["incident_number", "requested_at"], name="delivery_incident"),
            models.Index(
                fields=["person"],
                condition=Q(channel="inbox", state="sent", read_at__isnull=True),
                name="delivery_unread",
            ),
            models.Index(
                fields=["person", "-requested_at"],
                condition=Q(channel="inbox"),
                name="delivery_inbox",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.step_key} → {self.person_id} by {self.channel}: {self.state}"


class Attempt(models.Model):
    """One try of one delivery, with the answer of the other side as it was given. Append-only."""

    delivery = models.ForeignKey(Delivery, models.PROTECT, related_name="attempts")
    at = models.DateTimeField()
    ok = models.BooleanField()
    is_repeat = models.BooleanField(default=False)
    answer = models.CharField(max_length=500)

    def __str__(self) -> str:
        return f"{self.delivery_id} {self.at:%H:%M:%S} {self.answer}"
