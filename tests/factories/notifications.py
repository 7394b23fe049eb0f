import factory
from factory.django import DjangoModelFactory

from notifications.models import Channel, Delivery
from notifications.states import ChannelKind, State
from tests.factories.instants import NINE_OCLOCK
from tests.factories.people import UserFactory


class ChannelFactory(DjangoModelFactory[Channel]):
    class Meta:
        model = Channel

    person = factory.SubFactory(UserFactory)
    slug = "mail"
    address = factory.LazyAttribute(lambda o: f"{o.slug}.{o.person.username}@example.com")
    position = 0


class DeliveryFactory(DjangoModelFactory[Delivery]):
    """A call by mail that waits to be sent."""

    class Meta:
        model = Delivery

    person = factory.SubFactory(UserFactory)
    step_key = factory.Sequence(lambda n: f"inc:12:step:{n}")
    channel = ChannelKind.MAIL
    address = factory.LazyAttribute(lambda o: o.person.email)
    template = "incident_call"
    params = factory.LazyFunction(lambda: {"title": "Node down", "domain": "HW"})
    incident_number = 12
    requested_at = NINE_OCLOCK
    next_at = NINE_OCLOCK

    class Params:
        inbox = factory.Trait(
            channel=ChannelKind.INBOX, state=State.SENT, sent_at=NINE_OCLOCK, address=""
        )
