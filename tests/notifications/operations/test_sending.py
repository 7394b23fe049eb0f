import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.db import connections
from pytest_django import Settings

from core.models import Event
from notifications.models import Attempt, Delivery
from notifications.operations import deliveries, sending
from notifications.operations.deliveries import Message
from notifications.states import LEASE, LIFETIME, MAX_ATTEMPTS
from tests.factories import NINE_OCLOCK, ChannelFactory, DeliveryFactory, UserFactory
from tests.notifications.conftest import Sink
from tests.processes import database_url

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[3]
LATER = NINE_OCLOCK + LEASE + timedelta(seconds=1)


def test_a_mail_is_sent_once_in_the_persons_language_with_the_answer_kept(sink: Sink) -> None:
    person = UserFactory.create(chinese=True, email="wang@example.com")
    delivery = DeliveryFactory.create(
        person=person, params={"title": "节点 {x} %s", "domain": "HW"}
    )

    assert sending.send_due(at=NINE_OCLOCK) == 1
    assert sending.send_due(at=LATER) == 0

    [mail] = sink.mails
    delivery.refresh_from_db()
    assert delivery.state == "sent"
    assert delivery.answer == "250 OK queued as 4711"
    assert mail["Message-ID"] == f"<{delivery.message_id}@warroom>"
    assert "INC-12" in mail["Subject"]
    assert "节点 {x} %s" in mail["Subject"]
    assert "/m/12/" in mail.get_content()
    assert mail["X-WarRoom-Repeat"] is None
    assert Attempt.objects.get().ok


def test_sender_text_is_neither_a_template_nor_a_header(sink: Sink) -> None:
    DeliveryFactory.create(params={"title": "{{ 7|add:7 }} {% now %}\r\nBcc: all@example.com"})

    sending.send_due(at=NINE_OCLOCK)

    [mail] = sink.mails
    assert mail["Bcc"] is None
    assert "{{ 7|add:7 }} {% now %} Bcc: all@example.com" in mail["Subject"]


def test_a_temporary_refusal_is_tried_again_later_with_back_off(sink: Sink) -> None:
    sink.answer = lambda address: "451 try later"
    delivery = DeliveryFactory.create()

    sending.send_due(at=NINE_OCLOCK)

    delivery.refresh_from_db()
    assert delivery.state == "queued"
    assert delivery.answer == "451 try later"
    assert timedelta(seconds=1) < delivery.next_at - NINE_OCLOCK < timedelta(seconds=4)
    assert sending.send_due(at=NINE_OCLOCK) == 0


def test_attempts_are_bounded_and_then_the_apps_above_are_told(sink: Sink) -> None:
    sink.answer = lambda address: "451 try later"
    delivery = DeliveryFactory.create()

    for minute in range(MAX_ATTEMPTS + 2):
        sending.send_due(at=NINE_OCLOCK + timedelta(minutes=2 * minute))

    delivery.refresh_from_db()
    assert delivery.state == "failed"
    assert delivery.attempts.count() == MAX_ATTEMPTS
    event = Event.objects.get(kind="delivery_exhausted")
    assert event.ids["person_id"] == delivery.person_id
    assert event.ids["incident_number"] == 12


def test_a_dead_channel_moves_on_to_the_persons_next(sink: Sink) -> None:
    sink.answer = lambda address: "550 no such user" if "dead" in address else "250 OK"
    person = UserFactory.create()
    ChannelFactory.create(person=person, slug="mail", address="dead@example.com", position=0)
    ChannelFactory.create(person=person, slug="mail-2", address="live@example.com", position=1)
    message = Message(person_id=person.pk, step_key="s", template="x", incident_number=12)
    deliveries.request(messages=[message], at=NINE_OCLOCK)

    sending.send_due(at=NINE_OCLOCK)
    sending.send_due(at=NINE_OCLOCK + timedelta(seconds=5))

    assert [mail["To"] for mail in sink.mails] == [f"{person.name} <live@example.com>"]
    by_channel = dict(Delivery.objects.values_list("channel", "state"))
    assert by_channel == {"inbox": "sent", "mail": "failed", "mail-2": "sent"}
    assert not Event.objects.filter(kind="delivery_exhausted").exists()


def test_one_dead_address_does_not_hold_up_the_others(sink: Sink) -> None:
    sink.answer = lambda address: "550 no" if address == "dead@example.com" else "250 OK"
    DeliveryFactory.create(address="dead@example.com")
    DeliveryFactory.create_batch(3)

    sending.send_due(at=NINE_OCLOCK)

    assert len(sink.mails) == 3


def test_a_server_that_is_away_is_an_attempt_with_its_error(sink: Sink, settings: Settings) -> None:
    settings.EMAIL_PORT = 1
    delivery = DeliveryFactory.create()

    sending.send_due(at=NINE_OCLOCK)

    delivery.refresh_from_db()
    assert delivery.state == "queued"
    assert "ConnectionRefusedError" in delivery.answer


def test_nobody_is_called_by_an_incident_of_last_spring(sink: Sink) -> None:
    delivery = DeliveryFactory.create()

    sending.send_due(at=NINE_OCLOCK + LIFETIME + timedelta(seconds=1))

    delivery.refresh_from_db()
    assert (delivery.state, delivery.reason) == ("skipped", "expired")
    assert sink.mails == []


def test_a_message_that_cannot_be_written_fails_alone(sink: Sink) -> None:
    bad = DeliveryFactory.create(address="a\r\nb@example.com")
    DeliveryFactory.create()

    sending.send_due(at=NINE_OCLOCK)

    bad.refresh_from_db()
    assert bad.state == "failed"
    assert len(sink.mails) == 1


@pytest.mark.django_db(transaction=True)
def test_many_senders_send_each_mail_once(sink: Sink) -> None:
    DeliveryFactory.create_batch(120)

    def drain(_n: int) -> None:
        while sending.send_due(at=NINE_OCLOCK):
            pass
        connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(drain, range(4)))

    assert len({mail["Message-ID"] for mail in sink.mails}) == len(sink.mails) == 120
    assert set(Delivery.objects.values_list("state", "attempt_count")) == {("sent", 1)}


SENDER = """
import django, sys
from datetime import datetime
django.setup()
from django.conf import settings
settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", int(sys.argv[1])
from notifications.operations import sending
sending.send_due(at=datetime.fromisoformat(sys.argv[2]))
"""


@pytest.mark.django_db(transaction=True)
def test_a_sender_killed_in_the_middle_is_repeated_with_the_same_id_and_marked(
    sink: Sink,
) -> None:
    delivery = DeliveryFactory.create()
    given, gone = threading.Event(), threading.Event()
    sink.before_answer = lambda: (given.set(), gone.wait(20))[0]  # type: ignore[func-returns-value]
    sender = _sender()

    assert given.wait(30)
    os.kill(sender.pid, signal.SIGKILL)
    sender.wait(10)
    gone.set()
    sink.before_answer = lambda: None

    assert sending.send_due(at=NINE_OCLOCK + timedelta(seconds=5)) == 0, "the lease still runs"
    assert sending.send_due(at=LATER) == 1

    first, second = sink.mails
    delivery.refresh_from_db()
    assert first["Message-ID"] == second["Message-ID"]
    assert (first["X-WarRoom-Repeat"], second["X-WarRoom-Repeat"]) == (None, "yes")
    assert (delivery.state, delivery.is_repeat) == ("sent", True)
    assert Delivery.objects.count() == 1


def _sender() -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [
            sys.executable,
            "-c",
            SENDER,
            str(django_settings.EMAIL_PORT),
            NINE_OCLOCK.isoformat(),
        ],
        cwd=ROOT,
        env={
            **os.environ,
            "DATABASE_URL": database_url(),
            "DJANGO_SETTINGS_MODULE": "config.settings.test",
        },
    )
