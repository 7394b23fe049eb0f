import pytest

from notifications.models import Delivery
from people.queries import visible
from people.queries.access import may_hear
from tests.factories import AudienceFactory, DeliveryFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("regions", "region", "seen"),
    [
        ([], "ulanqab", True),
        ([], "", True),
        (["ulanqab"], "ulanqab", True),
        (["ulanqab"], "shanghai", False),
        (["ulanqab"], "", True),
    ],
)
def test_a_person_sees_the_rows_of_own_regions(
    regions: list[str], region: str, *, seen: bool
) -> None:
    user = UserFactory.create(regions=regions)
    DeliveryFactory.create(region=region)

    assert visible(Delivery.objects.all(), user).exists() is seen


def test_a_row_with_an_audience_is_seen_by_its_members_only() -> None:
    member, admin = UserFactory.create(), UserFactory.create(admin=True)
    circle = AudienceFactory.create()
    circle.members.add(member)
    DeliveryFactory.create(audience=circle)

    assert visible(Delivery.objects.all(), member).count() == 1
    assert visible(Delivery.objects.all(), admin).count() == 0


def test_an_inbox_is_heard_by_its_owner_only() -> None:
    user = UserFactory.create()

    assert may_hear(user, f"inbox-{user.pk}")
    assert not may_hear(user, f"inbox-{user.pk + 1}")
    assert may_hear(user, "board")
