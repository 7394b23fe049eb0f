import factory
from factory.django import DjangoModelFactory

from fleet.models import Component, Job, Kind, Placement, ServiceUse, VersionBaseline
from fleet.states import JobState
from tests.factories.instants import NINE_OCLOCK


class ComponentFactory(DjangoModelFactory[Component]):
    """A component at a path; `region`, `supernode` and `node` are read from it by the traits."""

    class Meta:
        model = Component
        django_get_or_create = ("path",)

    path = "ulanqab"
    kind = Kind.REGION
    name = factory.LazyAttribute(lambda o: o.path.rsplit("/", 1)[-1])
    region = factory.LazyAttribute(lambda o: o.path.split("/")[0])
    state_since = NINE_OCLOCK
    seen_at = NINE_OCLOCK


def region(name: str = "ulanqab") -> Component:
    return ComponentFactory.create(path=name)


def supernode(name: str = "sn05", region_name: str = "ulanqab") -> Component:
    return ComponentFactory.create(
        path=f"{region_name}/{name}",
        kind=Kind.SUPERNODE,
        supernode=name,
        parent=region(region_name),
    )


def node(name: str = "sn05-n17", region_name: str = "ulanqab", cards: int = 8) -> Component:
    """A node with its cards, in its supernode."""
    above = supernode(name.split("-")[0], region_name)
    made = ComponentFactory.create(
        path=f"{above.path}/{name}",
        kind=Kind.NODE,
        supernode=above.name,
        node=name,
        parent=above,
        index=int(name.split("-n")[1]),
    )
    for index in range(cards):
        ComponentFactory.create(
            path=f"{made.path}/{index}",
            kind=Kind.CARD,
            name=f"{name}/{index}",
            supernode=above.name,
            node=name,
            parent=made,
            index=index,
            attributes={"dies": 2},
        )
    return made


def service(name: str = "pfs-ulq-01", region_name: str = "ulanqab") -> Component:
    return ComponentFactory.create(
        path=f"{region_name}/service:{name}",
        kind=Kind.SERVICE,
        name=name,
        parent=region(region_name),
    )


class JobFactory(DjangoModelFactory[Job]):
    class Meta:
        model = Job

    job_id = factory.Sequence(lambda n: f"pt-demo-{n:04d}")
    name = factory.LazyAttribute(lambda o: f"Job {o.job_id}")
    region = "ulanqab"
    state = JobState.RUNNING
    cards = 384
    nodes = 48
    ranks = 768
    baseline_step_seconds = 10.0
    checkpoint_interval_seconds = 1800


class PlacementFactory(DjangoModelFactory[Placement]):
    class Meta:
        model = Placement

    job = factory.SubFactory(JobFactory)
    component = factory.LazyFunction(supernode)


class ServiceUseFactory(DjangoModelFactory[ServiceUse]):
    class Meta:
        model = ServiceUse

    job = factory.SubFactory(JobFactory)
    component = factory.LazyFunction(service)


class VersionBaselineFactory(DjangoModelFactory[VersionBaseline]):
    class Meta:
        model = VersionBaseline

    region = "ulanqab"
    package = "HDK"
    version = "25.0"
    set_at = NINE_OCLOCK
