import pytest
from django.test import Client
from django.urls import reverse

from notifications.models import Channel, Delivery
from people.models import User
from tests.factories import AudienceFactory, DeliveryFactory, UserFactory
from tests.notifications.conftest import Sink

pytestmark = pytest.mark.django_db


def logged_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_the_inbox_shows_unread_first_in_the_readers_language() -> None:
    person = UserFactory.create(language="zh-hans")
    read = DeliveryFactory.create(person=person, inbox=True, params={"title": "older"})
    Delivery.objects.update(read_at=read.requested_at)
    DeliveryFactory.create(person=person, inbox=True, params={"title": "newer <b>"})
    DeliveryFactory.create(inbox=True, params={"title": "somebody else's"})

    text = logged_in(person).get(reverse("notifications:inbox")).content.decode()

    assert text.index("newer &lt;b&gt;") < text.index("older")
    assert "somebody else" not in text
    assert "作战室" in text


def test_opening_a_message_reads_it_and_leads_to_its_incident() -> None:
    message = DeliveryFactory.create(inbox=True, url="/incidents/12/")
    client = logged_in(message.person)

    answer = client.get(reverse("notifications:inbox-open", args=[message.pk]))

    message.refresh_from_db()
    assert answer["Location"] == "/incidents/12/"
    assert message.read_at
    assert logged_in(UserFactory.create()).get(answer.wsgi_request.path).status_code == 404


@pytest.mark.parametrize("url", ["//evil.example/x", "https://evil.example", "/\\evil.example"])
def test_a_message_never_leads_off_this_site(url: str) -> None:
    message = DeliveryFactory.create(inbox=True, url=url)

    answer = logged_in(message.person).get(reverse("notifications:inbox-open", args=[message.pk]))

    assert answer["Location"] == "/m/12/"


def test_marking_all_read_empties_the_badge() -> None:
    message = DeliveryFactory.create(inbox=True)
    client = logged_in(message.person)

    client.post(reverse("notifications:inbox-read-all"))

    assert not Delivery.objects.filter(read_at__isnull=True).exists()


def test_who_was_told_is_hidden_with_its_incident() -> None:
    circle = AudienceFactory.create()
    told = DeliveryFactory.create(audience=circle)
    member = UserFactory.create()
    circle.members.add(member)
    path = reverse("notifications:incident-deliveries", args=[12])

    assert told.person.name in logged_in(member).get(path).content.decode()
    assert told.person.name not in logged_in(UserFactory.create()).get(path).content.decode()
    panel = reverse("notifications:incident-panel", args=[12])
    assert logged_in(member).get(panel).status_code == 200


def test_a_channel_is_added_ordered_switched_and_removed() -> None:
    person = UserFactory.create()
    client = logged_in(person)

    def act(verb: str, pk: int) -> None:
        client.post(reverse("notifications:channel-act", args=[pk, verb]))

    client.post(reverse("notifications:channel-new", args=["add"]), {"address": "two@example.com"})
    first, second = Channel.objects.order_by("position")
    assert (first.address, second.address) == (person.email, "two@example.com")
    act("first", second.pk)
    assert [c.slug for c in Channel.objects.order_by("position")] == ["mail-2", "mail"]
    act("off", second.pk)
    assert not Channel.objects.get(pk=second.pk).enabled
    act("remove", second.pk)
    assert Channel.objects.count() == 1


def test_other_peoples_channels_are_refused() -> None:
    owner = UserFactory.create()
    logged_in(owner).post(
        reverse("notifications:channel-new", args=["add"]), {"address": "x@example.com"}
    )
    channel = Channel.objects.filter(person=owner).latest("pk")

    answer = logged_in(UserFactory.create()).post(
        reverse("notifications:channel-act", args=[channel.pk, "remove"])
    )

    assert answer.status_code == 404
    assert Channel.objects.filter(pk=channel.pk).exists()


def test_a_test_goes_the_way_that_calls_go(sink: Sink) -> None:
    person = UserFactory.create()

    answer = logged_in(person).post(
        reverse("notifications:channel-new", args=["test"]), {"slug": "mail"}
    )

    assert answer.status_code == 200
    assert set(Delivery.objects.values_list("channel", "state")) == {
        ("inbox", "sent"),
        ("mail", "queued"),
    }


def test_a_bad_address_is_refused_with_a_sentence() -> None:
    client = logged_in(UserFactory.create())

    answer = client.post(reverse("notifications:channel-new", args=["add"]), {"address": "nobody"})

    assert answer.status_code == 400
    assert "not a mail address" in answer.content.decode()
