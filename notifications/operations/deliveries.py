import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from django.db import transaction

from core.operations import events, live, sql
from notifications.adapters import mail
from notifications.models import Delivery
from notifications.queries import Route, routes_of
from notifications.states import ChannelKind, Reason, State
from people.models import User
from people.queries import faces_customer

# Messages times the ways to their people; the database makes the rows.
WRITE = """
    INSERT INTO notifications_delivery
        (person_id, step_key, channel, address, state, reason, message_id, template, params,
         incident_number, tier, url, is_drill, region, audience_id, requested_at, next_at, sent_at,
         attempt_count, is_repeat, answer)
    SELECT m.person_id, m.step_key, w.channel, w.address, w.state, w.reason, uuidv7(), m.template,
        m.params, m.incident_number, m.tier, m.url, m.drill, m.region, m.audience_id, %b, %b,
        CASE WHEN w.state = 'sent' THEN %b::timestamptz END, 0, false, ''
    FROM unnest(%b::bigint[], %b::text[], %b::text[], %b::text[]::jsonb[], %b::bigint[],
                %b::smallint[], %b::text[], %b::boolean[], %b::text[], %b::bigint[],
                %b::integer[])
        AS m(person_id, step_key, template, params, incident_number, tier, url, drill, region,
             audience_id, place)
    JOIN unnest(%b::bigint[], %b::boolean[], %b::integer[], %b::text[], %b::text[], %b::text[],
                %b::text[])
        AS w(person_id, drill, place, channel, address, state, reason)
      ON w.person_id = m.person_id AND w.drill = m.drill
    ORDER BY m.place, w.place
    ON CONFLICT (person_id, step_key, channel) DO NOTHING
"""


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
    ways = _ways(people, {(m.person_id, m.drill) for m in first.values()})
    known = [m for m in first.values() if m.person_id in people]
    sql.run(WRITE, at, at, at, *sql.columns(_rows(known), 11), *sql.columns(ways, 7))
    live.announce(*(f"inbox-{person_id}" for person_id in people))
    if any(way.state == State.QUEUED for way in ways):
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


class Way(NamedTuple):
    """One channel for everything that a person is told: a delivery for each of their messages."""

    person_id: int
    drill: bool
    place: int
    channel: str
    address: str
    state: str
    reason: str


def _ways(people: Mapping[int, User], kinds: Collection[tuple[int, bool]]) -> list[Way]:
    """The inbox and the first other channel of each person, in drills and in earnest."""
    routes = routes_of(people.values(), mail_works=mail.configured())
    spared = faces_customer(person_id for person_id, drill in kinds if drill)
    ways = []
    for person_id, drill in sorted(kinds):
        if person_id not in people:
            continue
        reason = _spared_because(people[person_id], drill and person_id in spared)
        inbox = State.SKIPPED if reason else State.SENT
        ways.append(
            Way(person_id, drill, 0, ChannelKind.INBOX.value, "", inbox.value, reason.value)
        )
        own = routes[person_id]
        first = own[0] if own else Route(slug=ChannelKind.MAIL, reason=Reason.NO_ADDRESS)
        reason = reason or first.reason
        other = State.SKIPPED if reason else State.QUEUED
        ways.append(
            Way(person_id, drill, 1, str(first.slug), first.address, other.value, reason.value)
        )
    return ways


def _spared_because(person: User, stands_in: bool) -> Reason:
    if not person.is_active:
        return Reason.INACTIVE
    return Reason.DRILL_CUSTOMER if stands_in else Reason.NONE


def _rows(messages: Sequence[Message]) -> list[tuple[Any, ...]]:
    written: dict[int, str] = {}  # messages of one step mostly share their values
    return [
        (
            m.person_id,
            m.step_key,
            m.template,
            written.get(id(m.params)) or written.setdefault(id(m.params), _json(m.params)),
            m.incident_number,
            m.tier,
            m.url,
            m.drill,
            m.region,
            m.audience_id,
            place,
        )
        for place, m in enumerate(messages)
    ]


def _json(params: Mapping[str, Any]) -> str:
    return json.dumps(dict(params), ensure_ascii=False)


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
