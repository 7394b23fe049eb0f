from people.models.audiences import Audience
from people.models.responsibilities import Responsibility
from people.models.rosters import Override, Roster, Shift
from people.models.teams import SiteDuty, Team
from people.models.tokens import ApiToken
from people.models.users import User, UserQuerySet

__all__ = [
    "ApiToken",
    "Audience",
    "Override",
    "Responsibility",
    "Roster",
    "Shift",
    "SiteDuty",
    "Team",
    "User",
    "UserQuerySet",
]
