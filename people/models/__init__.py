from people.models.audiences import Audience
from people.models.teams import SiteDuty, Team
from people.models.tokens import ApiToken
from people.models.users import User, UserQuerySet

__all__ = ["ApiToken", "Audience", "SiteDuty", "Team", "User", "UserQuerySet"]
