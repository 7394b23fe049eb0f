from tests.factories.instants import NINE_OCLOCK
from tests.factories.people import PASSWORD, AudienceFactory, TeamFactory, UserFactory

__all__ = ["NINE_OCLOCK", "PASSWORD", "AudienceFactory", "TeamFactory", "UserFactory"]
