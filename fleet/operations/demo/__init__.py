"""
The demo fleet: 32 supernodes of 48 nodes of 8 cards in two regions, 12,288 cards.

Everything is computed, nothing is drawn by lot, so that two machines show the same fleet.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from django.db import transaction

from fleet.models import Component, Job, Kind, NodeVersion, ServiceUse, VersionBaseline
from fleet.operations import jobs, reference, revisions
from fleet.operations.demo.placements import JOBS
from fleet.operations.demo.shapes import (
    DRIFTED_NODES,
    PACKAGES,
    REGIONS,
    SPARE_SUPERNODES,
    DemoJob,
    Part,
    supernode_path,
)
from fleet.operations.demo.tree import levels
from fleet.states import State

BATCH = 4000


@transaction.atomic
def load(at: datetime) -> str:
    """Load the reference tables and the demo fleet; a second time changes nothing."""
    reference.load(at=at)
    if Job.objects.filter(job_id__in=[job.job_id for job in JOBS]).count() < len(JOBS):
        _build(at)
    cards = Component.objects.of_kind(Kind.CARD).count()
    return f"fleet: {cards:,} cards in {Component.objects.count():,} components, {len(JOBS)} jobs"


def _build(at: datetime) -> None:
    for parts in levels():
        _insert(parts, _ids(), at)
    ids = _ids()
    _versions(ids, at)
    for job in JOBS:
        _job(job, ids, at)
    revisions.grow()


def _ids() -> dict[str, int]:
    """The keys of everything that may be a parent, a place or a service."""
    leaves = [Kind.CARD, Kind.LINK, Kind.SWITCH]
    return dict(Component.objects.exclude(kind__in=leaves).values_list("path", "pk"))


def _insert(parts: Sequence[Part], ids: dict[str, int], at: datetime) -> None:
    Component.objects.bulk_create(
        [
            Component(
                path=part.path,
                kind=part.kind,
                name=part.name,
                parent_id=ids.get(part.parent),
                region=part.region,
                supernode=part.supernode,
                node=part.node,
                index=part.index,
                state=State.SPARE if part.supernode in SPARE_SUPERNODES else State.IN_SERVICE,
                state_since=at - timedelta(days=40),
                serial=part.serial,
                address=part.address,
                attributes=part.attributes,
                seen_at=at,
            )
            for part in parts
        ],
        batch_size=BATCH,
        ignore_conflicts=True,
    )


def _versions(ids: dict[str, int], at: datetime) -> None:
    VersionBaseline.objects.bulk_create(
        [
            VersionBaseline(region=region, package=package, version=version, set_at=at)
            for region in REGIONS
            for package, (version, _old) in PACKAGES.items()
        ],
        ignore_conflicts=True,
    )
    nodes = (path for path in ids if path.count("/") == 2 and "-n" in path.rsplit("/", 1)[1])
    NodeVersion.objects.bulk_create(
        [
            NodeVersion(
                node_id=ids[path],
                package=package,
                version=old if path.rsplit("/", 1)[1] in DRIFTED_NODES else version,
                seen_at=at,
            )
            for path in nodes
            for package, (version, old) in PACKAGES.items()
        ],
        batch_size=BATCH,
        ignore_conflicts=True,
    )


def _job(demo: DemoJob, ids: dict[str, int], at: datetime) -> None:
    job, created = Job.objects.get_or_create(
        job_id=demo.job_id,
        defaults={
            "name": demo.name,
            "region": demo.region,
            "state": demo.state,
            "priority": demo.priority,
            "customer": demo.customer,
            "owner_team": demo.owner_team,
            "cards": demo.cards,
            "nodes": demo.cards // 8,
            "ranks": demo.cards * 2,
            "baseline_step_seconds": demo.step_seconds,
            "checkpoint_interval_seconds": demo.checkpoint_seconds,
            **_progress(demo, at),
        },
    )
    if not created:
        return
    if demo.supernodes:
        jobs.set_placement(job_id=job.job_id, places=list(_places(demo)), at=at)
    ServiceUse.objects.bulk_create(
        ServiceUse(job=job, component_id=ids[path]) for path in demo.services
    )


def _places(demo: DemoJob) -> Iterable[jobs.Place]:
    for order, number in enumerate(demo.supernodes):
        yield jobs.Place(path=supernode_path(number), first_rank=order * 768)


def _progress(demo: DemoJob, at: datetime) -> dict[str, object]:
    if not demo.supernodes:
        return {}
    saved_at = at - timedelta(seconds=demo.checkpoint_seconds // 2)
    steps = int(demo.checkpoint_seconds // 2 / demo.step_seconds)
    return {
        "last_step": demo.step,
        "last_step_at": at,
        "last_checkpoint_step": demo.step - steps,
        "last_checkpoint_at": saved_at,
    }
