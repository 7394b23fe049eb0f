from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from core.models import Event
from notifications.models import Delivery
from notifications.operations import deliveries
from notifications.operations.deliveries import Message
from people.models import User
from tests.factories import (
    NINE_OCLOCK,
    ChannelFactory,
    DeliveryFactory,
    ShiftFactory,
    TeamFactory,
    UserFactory,
)
from tests.notifications.conftest import Sink

pytestmark = pytest.mark.django_db


def call(person: User, step: str = "inc:12:ladder:0", **more: object) -> Message:
    return Message(
        person_id=person.pk,
        step_key=step,
        template="incident_call",
        incident_number=12,
        **more,  # type: ignore[arg-type]
    )


def states(person: User) -> dict[str, tuple[str, str]]:
    rows = Delivery.objects.filter(person=person)
    return {row.channel: (row.state, row.reason) for row in rows}


def test_a_call_is_in_the_inbox_at_once_and_queued_for_mail(sink: Sink) -> None:
    person = UserFactory.create()

    deliveries.request(messages=[call(person)], at=NINE_OCLOCK)

    assert states(person) == {"inbox": ("sent", ""), "mail": ("queued", "")}
    assert Event.objects.filter(kind="deliveries_queued").count() == 1


def test_asking_again_changes_nothing(sink: Sink) -> None:
    person = UserFactory.create()
    deliveries.request(messages=[call(person), call(person)], at=NINE_OCLOCK)
    Delivery.objects.filter(channel="mail").update(state="sent", sent_at=NINE_OCLOCK)

    deliveries.request(messages=[call(person)], at=NINE_OCLOCK + timedelta(minutes=1))

    assert states(person) == {"inbox": ("sent", ""), "mail": ("sent", "")}
    assert Delivery.objects.count() == 2


def test_a_rollback_leaves_no_delivery(sink: Sink) -> None:
    person = UserFactory.create()

    with transaction.atomic():
        deliveries.request(messages=[call(person)], at=NINE_OCLOCK)
        transaction.set_rollback(True)

    assert not Delivery.objects.exists()


def test_without_a_mail_server_mail_is_skipped_with_the_reason() -> None:
    person = UserFactory.create()

    deliveries.request(messages=[call(person)], at=NINE_OCLOCK)

    assert states(person) == {"inbox": ("sent", ""), "mail": ("skipped", "not_configured")}
    assert not Event.objects.filter(kind="deliveries_queued").exists()


def test_whoever_has_no_address_is_reached_in_the_inbox_only(sink: Sink) -> None:
    person = UserFactory.create(email="")

    deliveries.request(messages=[call(person)], at=NINE_OCLOCK)

    assert states(person) == {"inbox": ("sent", ""), "mail": ("skipped", "no_address")}


def test_a_person_who_left_is_not_called(sink: Sink) -> None:
    person = UserFactory.create(is_active=False)

    deliveries.request(messages=[call(person)], at=NINE_OCLOCK)

    assert set(states(person).values()) == {("skipped", "inactive")}


def test_the_first_channel_of_a_persons_order_is_asked_first(sink: Sink) -> None:
    person = UserFactory.create()
    ChannelFactory.create(person=person, slug="mail", position=1)
    ChannelFactory.create(person=person, slug="mail-2", position=0)

    deliveries.request(messages=[call(person)], at=NINE_OCLOCK)

    assert set(states(person)) == {"inbox", "mail-2"}


def test_a_drill_calls_no_customer_but_everybody_else(sink: Sink) -> None:
    member, on_roster, engineer = UserFactory.create_batch(3)
    TeamFactory.create(domain="TAM").members.add(member)
    ShiftFactory.create(roster__team__domain="JOB", primary=on_roster)

    deliveries.request(
        messages=[call(p, drill=True) for p in (member, on_roster, engineer)], at=NINE_OCLOCK
    )

    assert set(states(member).values()) == {("skipped", "drill_customer")}
    assert set(states(on_roster).values()) == {("skipped", "drill_customer")}
    assert states(engineer) == {"inbox": ("sent", ""), "mail": ("queued", "")}


def test_cancelling_leaves_what_was_sent_and_what_is_being_sent() -> None:
    queued = DeliveryFactory.create()
    sending = DeliveryFactory.create(state="sending")
    other = DeliveryFactory.create(incident_number=13)
    inbox = DeliveryFactory.create(inbox=True)

    cancelled = deliveries.cancel(incident_number=12, at=NINE_OCLOCK)

    assert cancelled == 1
    for row, state in (
        (queued, "cancelled"),
        (sending, "sending"),
        (other, "queued"),
        (inbox, "sent"),
    ):
        row.refresh_from_db()
        assert row.state == state


def test_cancelling_for_one_person_leaves_the_others() -> None:
    mine, theirs = DeliveryFactory.create_batch(2)

    deliveries.cancel(incident_number=12, person_id=mine.person_id, at=NINE_OCLOCK)

    theirs.refresh_from_db()
    assert theirs.state == "queued"


def test_reading_touches_only_ones_own_inbox() -> None:
    mine, theirs = DeliveryFactory.create_batch(2, inbox=True)

    assert (
        deliveries.mark_read(person_id=mine.person_id, at=NINE_OCLOCK, delivery_id=theirs.pk) == 0
    )
    assert deliveries.mark_read(person_id=mine.person_id, at=NINE_OCLOCK) == 1

    theirs.refresh_from_db()
    assert theirs.read_at is None


def test_ten_thousand_deliveries_are_written_by_a_constant_number_of_statements(
    sink: Sink,
) -> None:
    User.objects.bulk_create(
        User(username=f"u{n}", name=f"U {n}", email=f"u{n}@example.com") for n in range(5000)
    )
    messages = [call(person) for person in User.objects.all()]

    with CaptureQueriesContext(
        connection,
    ) as queries:
        told = deliveries.request(messages=messages, at=NINE_OCLOCK)

    assert told == 5000
    assert Delivery.objects.count() == 10_000
    assert len(queries) < 25
