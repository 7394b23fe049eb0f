"""How a delivery moves, and how long it is tried. Pure: no ORM, no clock, no I/O."""

import hashlib
from datetime import timedelta

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _


class State(TextChoices):
    QUEUED = "queued", _("Queued")
    SENDING = "sending", _("Sending")
    SENT = "sent", _("Sent")
    FAILED = "failed", _("Failed")
    CANCELLED = "cancelled", _("Cancelled")
    SKIPPED = "skipped", _("Skipped")


class Reason(TextChoices):
    """Why a delivery was skipped or cancelled; shown in the reader's language."""

    NONE = "", ""
    NOT_CONFIGURED = "not_configured", _("Mail is not configured on this site")
    NO_ADDRESS = "no_address", _("No mail address is known")
    DRILL_CUSTOMER = "drill_customer", _("A drill calls no customer: a stand-in answers")
    SWITCHED_OFF = "switched_off", _("The channel was switched off")
    INACTIVE = "inactive", _("The person is no longer active")
    NO_LONGER_NEEDED = "no_longer_needed", _("No longer needed")
    EXPIRED = "expired", _("Too old to be sent")


class ChannelKind(TextChoices):
    INBOX = "inbox", _("Inbox")
    MAIL = "mail", _("Mail")


PENDING = (State.QUEUED, State.SENDING)
TRANSITIONS: dict[State, frozenset[State]] = {
    State.QUEUED: frozenset({State.SENDING, State.CANCELLED, State.SKIPPED}),
    State.SENDING: frozenset({State.SENDING, State.SENT, State.QUEUED, State.FAILED}),
    State.SENT: frozenset(),
    State.FAILED: frozenset(),
    State.CANCELLED: frozenset(),
    State.SKIPPED: frozenset(),
}

MAX_ATTEMPTS = 5
BASE = timedelta(seconds=2)
LONGEST = timedelta(seconds=60)
LEASE = timedelta(seconds=30)
LIFETIME = timedelta(hours=24)  # pitfall 15: nobody is paged by an incident of last spring


def back_off(*, attempts: int, seed: str) -> timedelta:
    """
    How long to wait after the attempt number `attempts`: 2, 4, 8, 16 s, ±25 %, at most 60 s.

    The jitter comes from `seed`, so that 10,000 deliveries that failed together come back apart.
    """
    share = int(hashlib.sha256(f"{seed}:{attempts}".encode()).hexdigest()[:8], 16) / 0xFFFFFFFF
    wait: timedelta = BASE * 2 ** min(max(attempts - 1, 0), 10)
    return min(wait * (0.75 + share / 2), LONGEST)
