"""Who may walk a procedure."""

from django.utils.translation import gettext

from core.errors import NotAllowed
from people.models import User
from people.states import Role


def may(by: User) -> bool:
    return by.at_least(Role.ENGINEER)


def check(by: User) -> None:
    """:raises NotAllowed: for viewers."""
    if not may(by):
        raise NotAllowed(
            gettext("Viewers only read. Everybody from the role engineer up may walk the SOP.")
        )
