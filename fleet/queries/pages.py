"""What one page shows, in a constant number of queries."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Q

from core.models import Change
from fleet.models import Checkpoint, Component, Job, Kind
from fleet.queries import graph, summaries, versions
from fleet.states import OUT, State

HISTORY = 50  # changes shown on a component's page


@dataclass(frozen=True, slots=True, kw_only=True)
class MapPage:
    summary: summaries.FleetSummary
    spare_nodes: int
    unregistered: int
    drift: list[versions.Drift]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A node of a supernode's grid, with its cards by state."""

    component: Component
    cards: int
    out: int
    suspect: int

    @property
    def working(self) -> int:
        return self.cards - self.out


@dataclass(frozen=True, slots=True, kw_only=True)
class ComponentPage:
    component: Component
    ancestors: list[Component]
    nodes: list[Cell]
    children: list[Component]
    links: list[Component]
    jobs: list[Job]
    history: list[Change]
    drift: list[versions.Drift]


@dataclass(frozen=True, slots=True, kw_only=True)
class JobPage:
    job: Job
    places: list[tuple[Component, int]]
    services: list[Component]
    checkpoints: list[Checkpoint]


def map_page(regions: Sequence[str]) -> MapPage:
    mine = Component.objects.visible_in(list(regions))
    counted = mine.aggregate(
        spare=Count("pk", filter=Q(kind=Kind.NODE, state=State.SPARE)),
        unregistered=Count("pk", filter=Q(registered=False)),
    )
    drifted = versions.drift()
    if regions:
        drifted = [one for one in drifted if one.path.split("/", 1)[0] in regions]
    return MapPage(
        summary=summaries.summary(regions),
        spare_nodes=counted["spare"],
        unregistered=counted["unregistered"],
        drift=drifted,
    )


def component_page(path: str, regions: Sequence[str]) -> ComponentPage | None:
    """None when there is no such component, or when it may not be seen."""
    mine = Component.objects.visible_in(list(regions))
    component = mine.filter(path=path).first()
    if component is None:
        return None
    above = graph.ancestors(path)
    is_node = component.kind == Kind.NODE
    return ComponentPage(
        component=component,
        ancestors=list(Component.objects.filter(path__in=above[1:]).order_by("path")),
        nodes=_nodes(component),
        children=_children(component),
        links=list(
            Component.objects.filter(
                kind=Kind.LINK, attributes__contains={"ends": [path]}
            ).order_by("name")[:200]
        ),
        jobs=graph.jobs_on([path]),
        history=list(
            Change.objects.filter(target__in=[f"component:{one}" for one in above])
            .select_related("actor")
            .order_by("-at", "-pk")[:HISTORY]
        ),
        drift=versions.drift(path) if is_node or component.kind == Kind.SUPERNODE else [],
    )


def _nodes(component: Component) -> list[Cell]:
    if component.kind != Kind.SUPERNODE:
        return []
    counted = component.children.filter(kind=Kind.NODE).annotate(
        cards=Count("children"),
        out=Count("children", filter=Q(children__state__in=OUT)),
        suspect=Count("children", filter=Q(children__state=State.SUSPECT)),
    )
    counts = {pk: rest for pk, *rest in counted.values_list("pk", "cards", "out", "suspect")}
    return [
        Cell(component=node, **dict(zip(("cards", "out", "suspect"), counts[node.pk], strict=True)))
        for node in component.children.filter(kind=Kind.NODE).order_by("path")
    ]


def _children(component: Component) -> list[Component]:
    """Everything directly below, but a supernode's nodes, which have a grid of their own."""
    below = component.children.exclude(kind__in=[Kind.LINK, Kind.SWITCH])
    if component.kind == Kind.SUPERNODE:
        below = below.exclude(kind=Kind.NODE)
    if component.kind == Kind.PLANE:
        below = Component.objects.filter(
            Q(parent=component)
            | Q(kind=Kind.SWITCH, attributes__contains={"plane_path": component.path})
        )
    return list(below.order_by("kind", "path")[:500])


def job_page(job_id: str, regions: Sequence[str]) -> JobPage | None:
    job = Job.objects.visible_in(list(regions)).filter(job_id=job_id).first()
    if job is None:
        return None
    placements = job.placements.select_related("component").order_by("first_rank")
    return JobPage(
        job=job,
        places=[(place.component, place.first_rank) for place in placements],
        services=[use.component for use in job.services.select_related("component")],
        checkpoints=list(job.checkpoints.order_by("-step")[:20]),
    )
