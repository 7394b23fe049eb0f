from datetime import date, time

import factory
from factory.django import DjangoModelFactory, Password

from people.models import Audience, Roster, Shift, Team, User
from people.states import Domain, Role

PASSWORD = "correct horse battery staple"


class UserFactory(DjangoModelFactory[User]):
    class Meta:
        model = User

    username = factory.Sequence(lambda n: f"person{n}")
    name = factory.Sequence(lambda n: f"Person {n}")
    email = factory.LazyAttribute(lambda o: f"{o.username}@example.com")
    phone = factory.Sequence(lambda n: f"+86 138 0000 {n:04d}")
    role = Role.ENGINEER
    time_zone = "UTC"
    password = Password(PASSWORD)

    class Params:
        admin = factory.Trait(role=Role.ADMIN, is_superuser=True, is_staff=True)
        lead = factory.Trait(role=Role.LEAD)
        viewer = factory.Trait(role=Role.VIEWER)
        chinese = factory.Trait(language="zh-hans", name="王芳")


class AudienceFactory(DjangoModelFactory[Audience]):
    class Meta:
        model = Audience

    name = factory.Sequence(lambda n: f"Audience {n}")


class TeamFactory(DjangoModelFactory[Team]):
    class Meta:
        model = Team
        django_get_or_create = ("domain",)

    domain = Domain.HW
    name_en = factory.LazyAttribute(lambda o: f"Team {o.domain}")
    name_zh = factory.LazyAttribute(lambda o: f"{o.domain} 组")
    manager = factory.SubFactory(UserFactory)
    next_level = factory.SubFactory(UserFactory)


class RosterFactory(DjangoModelFactory[Roster]):
    """Weeks from Monday 09:00; without shifts, which ShiftFactory adds."""

    class Meta:
        model = Roster

    team = factory.SubFactory(TeamFactory)
    region = ""
    time_zone = "Asia/Shanghai"
    anchor_date = date(2026, 3, 2)
    handover_at = time(9)


class ShiftFactory(DjangoModelFactory[Shift]):
    class Meta:
        model = Shift

    roster = factory.SubFactory(RosterFactory)
    position = 0
    primary = factory.SubFactory(UserFactory)
    backup = factory.SubFactory(UserFactory)
