import factory
from factory.django import DjangoModelFactory, Password

from people.models import Audience, Team, User
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
