from datetime import datetime

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext

from core.errors import Invalid, NotFound, Refused
from core.operations import changes, events, live
from notifications.adapters import mail
from notifications.models import Channel, Delivery
from notifications.operations.deliveries import Message, row
from notifications.queries import Route, routes_of
from notifications.states import ChannelKind, Reason, State
from people.models import User

MOST = 5


@transaction.atomic
def add(*, address: str, by: User, at: datetime) -> Channel:
    """Add a mail address of one's own, last in order; the profile's becomes the first."""
    User.objects.select_for_update(no_key=True).get(pk=by.pk)
    _refuse_bad(address)
    own = Channel.objects.filter(person=by)
    if not own.exists() and by.email and by.email != address:
        _create(by, by.email)
    if own.filter(address__iexact=address).exists():
        raise Refused(gettext("This address is in your list already."))
    if own.count() >= MOST:
        raise Refused(gettext("Five addresses are enough; remove one first."))
    channel = _create(by, address)
    _record("channel_added", channel, by=by, at=at)
    return channel


@transaction.atomic
def remove(*, channel_id: int, by: User, at: datetime) -> None:
    channel = _own(channel_id, by)
    _record("channel_removed", channel, by=by, at=at)
    channel.delete()


@transaction.atomic
def switch(*, channel_id: int, enabled: bool, by: User, at: datetime) -> Channel:
    channel = _own(channel_id, by)
    channel.enabled = enabled
    channel.save(update_fields=["enabled"])
    _record("channel_switched", channel, by=by, at=at)
    return channel


@transaction.atomic
def put_first(*, channel_id: int, by: User, at: datetime) -> Channel:
    """Try this channel before the person's others."""
    channel = _own(channel_id, by)
    others = Channel.objects.filter(person=by).exclude(pk=channel.pk).order_by("position", "pk")
    ordered = [channel, *others]
    for position, one in enumerate(ordered):
        one.position = position
    Channel.objects.bulk_update(ordered, ["position"])
    _record("channel_put_first", channel, by=by, at=at)
    return channel


@transaction.atomic
def test(*, slug: str, by: User, at: datetime) -> list[Delivery]:
    """
    Send a test to oneself through one channel and the inbox, on the way that calls take.

    A channel that is switched off can be tested too: before it is switched on again.

    :raises Refused: if the channel is none of the person's.
    """
    works = mail.configured()
    routes = {r.slug: r for r in routes_of([by], mail_works=works)[by.pk]}
    for channel in Channel.objects.filter(person=by, enabled=False):
        reason = Reason.NONE if works else Reason.NOT_CONFIGURED
        routes[channel.slug] = Route(slug=channel.slug, address=channel.address, reason=reason)
    if slug not in {*routes, ChannelKind.INBOX}:
        raise NotFound(gettext("There is no such channel."))
    message = Message(
        person_id=by.pk,
        step_key=f"test:{by.pk}:{slug}:{at.isoformat()}",
        template="channel_test",
        url="/settings/channels/",
    )
    inbox = row(message, ChannelKind.INBOX, at)
    inbox.state, inbox.sent_at = State.SENT, at
    written = [inbox]
    if slug in routes:
        other = row(message, slug, at)
        other.address, other.reason = routes[slug].address, routes[slug].reason
        other.state = State.SKIPPED if other.reason else State.QUEUED
        written.append(other)
        events.publish(kind="deliveries_queued")
    for delivery in written:
        delivery.save(force_insert=True)
    live.announce(f"inbox-{by.pk}")
    return written


def _create(person: User, address: str) -> Channel:
    own = Channel.objects.filter(person=person)
    last = own.aggregate(last=Max("position"))["last"]
    taken = set(own.values_list("slug", flat=True))
    names = [ChannelKind.MAIL.value, *(f"{ChannelKind.MAIL}-{n}" for n in range(2, MOST + 2))]
    return Channel.objects.create(
        person=person,
        slug=next(name for name in names if name not in taken),
        address=address,
        position=0 if last is None else last + 1,
    )


def _own(channel_id: int, by: User) -> Channel:
    own = Channel.objects.select_for_update(no_key=True).filter(pk=channel_id, person=by)
    channel = own.first()
    if channel is None:
        raise NotFound(gettext("There is no such channel."))
    return channel


def _refuse_bad(address: str) -> None:
    try:
        validate_email(address)
    except ValidationError:
        raise Invalid(fields={"address": [gettext("This is not a mail address.")]}) from None


def _record(verb: str, channel: Channel, *, by: User, at: datetime) -> None:
    target = f"channel:{channel.person_id}/{channel.slug}"
    changes.record(actor=by, verb=verb, target=target, at=at, after={"enabled": channel.enabled})
