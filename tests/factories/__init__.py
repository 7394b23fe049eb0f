from tests.factories.instants import NINE_OCLOCK
from tests.factories.notifications import ChannelFactory, DeliveryFactory
from tests.factories.people import (
    PASSWORD,
    AudienceFactory,
    RosterFactory,
    ShiftFactory,
    TeamFactory,
    UserFactory,
)

__all__ = [
    "NINE_OCLOCK",
    "PASSWORD",
    "AudienceFactory",
    "ChannelFactory",
    "DeliveryFactory",
    "RosterFactory",
    "ShiftFactory",
    "TeamFactory",
    "UserFactory",
]
