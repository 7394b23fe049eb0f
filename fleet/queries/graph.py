"""Who is hit when something breaks: the tree, the jobs and their placement."""

from collections.abc import Iterable

from django.db.models import Max, Q, Sum

from fleet.models import Component, Job, Kind, Revision
from fleet.states import PLACED_JOBS, State

REGION_WIDE = (Kind.PLANE, Kind.REGION)


def component(path: str) -> Component | None:
    return Component.objects.filter(path=path).first()


def ancestors(path: str) -> list[str]:
    """The path itself and every path above it, the deepest first."""
    parts = path.split("/")
    return ["/".join(parts[:depth]) for depth in range(len(parts), 0, -1)]


def jobs_on(paths: Iterable[str]) -> list[Job]:
    """
    The jobs that hold cards at, above or below any of `paths`, or that use a service there.

    A switch, rack or feed stands for its supernode, a link for its ends, a plane of a whole
    region for that region. Jobs that wait for cards are not on anything.
    """
    wanted = set(paths)
    if not wanted:
        return []
    for one in Component.objects.filter(path__in=wanted).exclude(kind__in=[Kind.CARD, Kind.NODE]):
        wanted |= _stands_for(one)
    above = {up for path in wanted for up in ancestors(path) if "/" in up} | wanted
    on = Q(placements__component__path__in=above) | Q(services__component__path__in=above)
    for path in wanted:
        on |= Q(placements__component__path__startswith=f"{path}/")
        on |= Q(services__component__path__startswith=f"{path}/")
    return list(
        Job.objects.filter(on, state__in=PLACED_JOBS).distinct().order_by("priority", "job_id")
    )


def _stands_for(one: Component) -> set[str]:
    ends = set(one.attributes.get("ends", [])) if one.kind == Kind.LINK else set()
    feeds = {str(path) for path in one.attributes.get("feeds", [])}
    if one.supernode and one.kind not in (Kind.PLANE, Kind.SUPERNODE):
        ends.add(f"{one.region}/{one.supernode}")
    if one.kind in REGION_WIDE and not one.supernode:
        ends.add(one.region)
    return ends | feeds


def job_cards(job_ids: Iterable[str]) -> int:
    total = Job.objects.filter(job_id__in=list(job_ids)).aggregate(total=Sum("cards"))["total"]
    return int(total or 0)


def jobs(job_ids: Iterable[str]) -> list[Job]:
    return list(Job.objects.filter(job_id__in=list(job_ids)).order_by("priority", "job_id"))


def spare_nodes(region: str = "") -> int:
    """Whole nodes that stand by. No region: of the whole site."""
    spares = Component.objects.filter(kind=Kind.NODE, state=State.SPARE)
    return spares.filter(region=region).count() if region else spares.count()


def fleet_version() -> int:
    """Grows with every change of the tree, of a placement or of a state."""
    return Revision.objects.aggregate(number=Max("number"))["number"] or 0
