"""Reads of the notifications app: how a person is reached, and what was tried."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, Min, Q

from core.registry import Metric
from notifications.models import Channel, Delivery, DeliveryQuerySet
from notifications.states import ChannelKind, Reason, State
from people.models import User


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """One channel of a person beside the inbox; `reason` says why it cannot be used."""

    slug: str
    address: str = ""
    reason: Reason = Reason.NONE


def routes_of(people: Iterable[User], *, mail_works: bool) -> dict[int, list[Route]]:
    """
    How each person is reached beside the inbox, in the person's own order.

    Whoever chose no channels has the mail address of the profile.
    """
    known = list(people)
    reason = Reason.NONE if mail_works else Reason.NOT_CONFIGURED
    chosen: dict[int, list[Channel]] = {person.pk: [] for person in known}
    for channel in Channel.objects.filter(person__in=chosen).order_by("position", "pk"):
        chosen[channel.person_id].append(channel)
    return {person.pk: _routes(person, chosen[person.pk], reason) for person in known}


def deliveries_of(incident_number: int) -> DeliveryQuerySet:
    """Everything that was tried for an incident, oldest first, with the people."""
    found = Delivery.objects.filter(incident_number=incident_number)
    return found.select_related("person").order_by("requested_at", "pk")


def counts_of(rows: Iterable[Delivery]) -> dict[str, int]:
    """How many people were told, and how many deliveries are in each state."""
    known = list(rows)
    by_state = Counter(row.state for row in known)
    people = {row.person_id for row in known if row.state == State.SENT}
    return {"people": len(people), **{state.value: by_state[state] for state in State}}


def path_of(delivery: Delivery) -> str:
    """Where a message leads: a path of this site, never elsewhere."""
    if delivery.url.startswith("/") and not delivery.url.startswith(("//", "/\\")):
        return delivery.url
    number = delivery.incident_number
    return "/inbox/" if number is None else f"/m/{number}/"


def unread(user: User) -> int:
    return Delivery.objects.inbox_of(user.pk).filter(read_at__isnull=True).count()


def metrics(at: datetime) -> Iterable[Metric]:
    pending = Delivery.objects.pending().aggregate(n=Count("pk"), oldest=Min("requested_at"))
    age = (at - pending["oldest"]).total_seconds() if pending["oldest"] else 0.0
    failed = Delivery.objects.filter(state=State.FAILED).count()
    yield Metric(
        name="warroom_deliveries_queued", value=pending["n"], help="Deliveries waiting to be sent"
    )
    yield Metric(
        name="warroom_deliveries_oldest_seconds",
        value=max(age, 0.0),
        help="Age of the oldest delivery that waits",
    )
    yield Metric(
        name="warroom_delivery_failures_total",
        value=failed,
        help="Deliveries given up after all attempts",
    )


def lost_deliveries() -> list[str]:
    """For check_integrity: a delivery that was sent by mail has an attempt that says so."""
    mute = (
        Delivery.objects.filter(state=State.SENT)
        .exclude(channel=ChannelKind.INBOX)
        .annotate(proofs=Count("attempts", filter=Q(attempts__ok=True)), last=Max("attempts__at"))
        .filter(proofs=0)
    )
    return [f"delivery {row.pk} is sent without an attempt that says so" for row in mute[:100]]


def _routes(person: User, channels: list[Channel], reason: Reason) -> list[Route]:
    if not channels:
        own = reason if person.email else Reason.NO_ADDRESS
        return [Route(slug=ChannelKind.MAIL, address=person.email, reason=own)]
    usable = [
        Route(slug=channel.slug, address=channel.address, reason=reason)
        for channel in channels
        if channel.enabled
    ]
    return usable or [Route(slug=channels[0].slug, reason=Reason.SWITCHED_OFF)]
