"""Jobs: where they run, how far they are, what they saved."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext

from core.errors import Invalid
from core.operations import live
from fleet.models import Checkpoint, Component, Job, Kind, Placement
from fleet.operations import revisions
from fleet.states import JobState

DIES_PER_CARD = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """`path` of a supernode or node, and the number of the job's first rank there."""

    path: str
    first_rank: int


def record_progress(*, job_id: str, step: int, at: datetime) -> bool:
    """
    Note the furthest instant at which the job is known to have finished a step.

    Reports may come in any order: an older one changes nothing. A step lower than before is
    kept when it is newer, because a restart repeats steps. Says whether anything changed.
    """
    newer = Q(last_step_at__isnull=True) | Q(last_step_at__lt=at)
    changed = Job.objects.filter(newer, job_id=job_id).update(last_step=step, last_step_at=at)
    Job.objects.filter(
        job_id=job_id, last_step_at=at, state__in=[JobState.PENDING, JobState.RESTARTING]
    ).update(state=JobState.RUNNING)
    return bool(changed)


@transaction.atomic
def record_checkpoint(
    *,
    job_id: str,
    step: int,
    at: datetime,
    snapshot_at: datetime | None = None,
    persisted_at: datetime | None = None,
    verified_at: datetime | None = None,
    shards: int | None = None,
    expected: int | None = None,
    regions: Sequence[str] = (),
) -> Checkpoint | None:
    """
    Merge what a report says of one checkpoint into what is known of it.

    A later report fills what is missing and never blanks what is there. The job's last
    checkpoint is the highest step that was verified and is complete. None for an unknown job.
    """
    job = Job.objects.select_for_update(no_key=True).filter(job_id=job_id).first()
    if job is None:
        return None
    checkpoint, _ = Checkpoint.objects.get_or_create(
        job=job, step=step, defaults={"recorded_at": at}
    )
    said = {
        "snapshot_at": snapshot_at,
        "persisted_at": persisted_at,
        "verified_at": verified_at,
        "shards": shards,
        "expected": expected,
    }
    filled = {name: value for name, value in said.items() if value is not None}
    for name, value in filled.items():
        setattr(checkpoint, name, value)
    checkpoint.regions = sorted({*checkpoint.regions, *regions})
    checkpoint.save(update_fields=[*filled, "regions"])
    if checkpoint.usable and step >= (job.last_checkpoint_step or 0):
        job.last_checkpoint_step = step
        job.last_checkpoint_at = snapshot_at or checkpoint.snapshot_at or checkpoint.verified_at
        job.save(update_fields=["last_checkpoint_step", "last_checkpoint_at"])
    return checkpoint


@transaction.atomic
def set_placement(*, job_id: str, places: Sequence[Place], at: datetime) -> Job:
    """
    Replace where the job runs, and count its cards, nodes and ranks from that.

    :raises Invalid: if a place is not a known supernode or node.
    """
    job = Job.objects.lock(job_id)
    paths = [place.path for place in places]
    known = {
        component.path: component
        for component in Component.objects.filter(
            path__in=paths, kind__in=[Kind.SUPERNODE, Kind.NODE]
        )
    }
    if missing := [path for path in paths if path not in known]:
        raise Invalid(
            fields={"places": [gettext("Unknown: %(names)s.") % {"names": ", ".join(missing)}]}
        )
    job.placements.all().delete()
    Placement.objects.bulk_create(
        Placement(job=job, component=known[place.path], first_rank=place.first_rank)
        for place in places
    )
    inside = Q(path__in=paths)
    for path in paths:
        inside |= Q(path__startswith=f"{path}/")
    job.nodes = Component.objects.filter(inside, kind=Kind.NODE).count()
    job.cards = Component.objects.filter(inside, kind=Kind.CARD).count()
    job.ranks = job.cards * DIES_PER_CARD
    job.save(update_fields=["nodes", "cards", "ranks"])
    revisions.grow()
    live.announce("fleet")
    return job


def set_state(*, job_id: str, state: str, at: datetime) -> int:
    """Note the state that the scheduler reports; says how many jobs changed."""
    changed = Job.objects.filter(job_id=job_id).exclude(state=state).update(state=JobState(state))
    if changed:
        live.announce("fleet")
    return changed
