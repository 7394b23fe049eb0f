from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction

from core.operations import events, live
from notifications.adapters import mail
from notifications.models import Delivery
from notifications.queries import Route, routes_of
from notifications.states import ChannelKind, Reason, State
from people.models import User
from people.queries import faces_customer

BATCH = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """
    What one step tells one person. `template` is a slug, rendered in the person's language.

    Values of `params` are data, never format strings. A mapping with "en" and "zh" is a text in
    both languages; a key that ends in `_at` holds an instant in ISO 8601.
    """

    person_id: int
    step_key: str
    template: str
    params: Mapping[str, Any] = field(default_factory=dict)
    incident_number: int | None = None
    tier: int = 3
    url: str = ""
    drill: bool = False
    region: str = ""
    audience_id: int | None = None


@transaction.atomic
def request(*, messages: Sequence[Message], at: datetime) -> int:
    """
    Write the deliveries of `messages`: the inbox at once, the first other channel queued.

    Set-based; asking again for the same person, step and channel changes nothing. Returns how
    many people were named.
    """
    first = {(m.person_id, m.step_key): m for m in reversed(messages)}
    people = User.objects.in_bulk({m.person_id for m in first.values()})
    routes = routes_of(people.values(), mail_works=mail.configured())
    spared = faces_customer(m.person_id for m in first.values() if m.drill)
    rows = [
        row
        for m in first.values()
        if m.person_id in people
        for row in _rows(m, people[m.person_id], routes[m.person_id], spared, at)
    ]
    Delivery.objects.bulk_create(rows, ignore_conflicts=True, batch_size=BATCH)
    live.announce(*(f"inbox-{person_id}" for person_id in people))
    if any(row.state == State.QUEUED for row in rows):
        events.publish(kind="deliveries_queued")
    return len(people)


@transaction.atomic
def cancel(*, incident_number: int, at: datetime, person_id: int | None = None) -> int:
    """
    Cancel what is queued for an incident, for one person or for everybody.

    What is being sent or was sent cannot be recalled and stays as it is.
    """
    chosen = Delivery.objects.filter(incident_number=incident_number, state=State.QUEUED)
    if person_id is not None:
        chosen = chosen.filter(person_id=person_id)
    return chosen.update(state=State.CANCELLED, reason=Reason.NO_LONGER_NEEDED)


@transaction.atomic
def mark_read(*, person_id: int, at: datetime, delivery_id: int | None = None) -> int:
    """Mark one message of the inbox as read, or all; returns how many were unread."""
    unread = Delivery.objects.inbox_of(person_id).filter(read_at__isnull=True)
    if delivery_id is not None:
        unread = unread.filter(pk=delivery_id)
    marked = unread.update(read_at=at)
    if marked:
        live.announce(f"inbox-{person_id}")
    return marked


def next_channel(delivery: Delivery, routes: Iterable[Route], at: datetime) -> Delivery | None:
    """The delivery of the person's channel after the one that failed; unsaved, None at the end."""
    known = list(routes)
    slugs = [route.slug for route in known]
    place = slugs.index(delivery.channel) + 1 if delivery.channel in slugs else len(known)
    if place >= len(known):
        return None
    return Delivery(
        person_id=delivery.person_id,
        step_key=delivery.step_key,
        channel=known[place].slug,
        address=known[place].address,
        template=delivery.template,
        params=delivery.params,
        incident_number=delivery.incident_number,
        tier=delivery.tier,
        url=delivery.url,
        is_drill=delivery.is_drill,
        region=delivery.region,
        audience_id=delivery.audience_id,
        requested_at=at,
        next_at=at,
    )


def _rows(
    message: Message, person: User, routes: Sequence[Route], spared: set[int], at: datetime
) -> list[Delivery]:
    reason = _spared_because(message, person, spared)
    inbox = row(message, ChannelKind.INBOX, at)
    inbox.state = State.SKIPPED if reason else State.SENT
    inbox.sent_at = None if reason else at
    inbox.reason = reason
    first = routes[0] if routes else Route(slug=ChannelKind.MAIL, reason=Reason.NO_ADDRESS)
    other = row(message, first.slug, at)
    other.address = first.address
    other.reason = reason or first.reason
    other.state = State.SKIPPED if other.reason else State.QUEUED
    return [inbox, other]


def _spared_because(message: Message, person: User, spared: set[int]) -> Reason:
    if not person.is_active:
        return Reason.INACTIVE
    if message.drill and person.pk in spared:
        return Reason.DRILL_CUSTOMER
    return Reason.NONE


def row(message: Message, channel: str, at: datetime) -> Delivery:
    """The unsaved delivery of a message through a channel, queued."""
    return Delivery(
        person_id=message.person_id,
        step_key=message.step_key,
        channel=channel,
        template=message.template,
        params=dict(message.params),
        incident_number=message.incident_number,
        tier=message.tier,
        url=message.url,
        is_drill=message.drill,
        region=message.region,
        audience_id=message.audience_id,
        requested_at=at,
        next_at=at,
    )
