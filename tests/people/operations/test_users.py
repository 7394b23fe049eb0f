import pytest

from core.errors import Invalid, Refused
from people.models import User
from people.operations import users
from tests.factories import NINE_OCLOCK, UserFactory

pytestmark = pytest.mark.django_db


def test_a_profile_is_changed_field_by_field_and_nothing_else() -> None:
    user = UserFactory.create()

    users.update_profile(
        user_id=user.pk, by=user, at=NINE_OCLOCK, phone="+49 30 1", role="admin", is_superuser="1"
    )

    user.refresh_from_db()
    assert (user.phone, user.role, user.is_superuser) == ("+49 30 1", "engineer", False)


def test_other_peoples_profiles_are_refused() -> None:
    user = UserFactory.create()

    with pytest.raises(Refused):
        users.update_profile(user_id=user.pk, by=UserFactory.create(), at=NINE_OCLOCK, name="X")


@pytest.mark.parametrize(
    "fields", [{"time_zone": "Mars/Olympus"}, {"language": "tlh"}, {"name": "  "}]
)
def test_what_cannot_be_is_refused(fields: dict[str, str]) -> None:
    user = UserFactory.create()

    with pytest.raises(Invalid):
        users.update_profile(user_id=user.pk, by=user, at=NINE_OCLOCK, **fields)


def test_the_first_administrator_is_made_once() -> None:
    admin, password = users.bootstrap(at=NINE_OCLOCK)

    assert admin.username == "admin"
    assert admin.check_password(password)
    with pytest.raises(Refused):
        users.bootstrap(at=NINE_OCLOCK)
    assert User.objects.count() == 1
