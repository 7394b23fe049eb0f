from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import Invalid
from fleet.models import Checkpoint, Job
from fleet.operations import jobs
from fleet.states import JobState
from tests.factories import NINE_OCLOCK
from tests.factories import fleet as factories

pytestmark = pytest.mark.django_db
LATER = NINE_OCLOCK + timedelta(minutes=5)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_progress_is_the_newest_report_in_whatever_order(order: tuple[int, ...]) -> None:
    job = factories.JobFactory.create()
    reports = [(100, NINE_OCLOCK), (130, LATER), (90, LATER + timedelta(minutes=30))]

    for index in order:
        step, at = reports[index]
        jobs.record_progress(job_id=job.job_id, step=step, at=at)

    job.refresh_from_db()
    assert (job.last_step, job.last_step_at) == (90, LATER + timedelta(minutes=30))


def test_progress_of_an_unknown_job_is_ignored() -> None:
    assert jobs.record_progress(job_id="nobody", step=1, at=LATER) is False


def test_a_restarting_job_that_steps_is_running_again() -> None:
    job = factories.JobFactory.create(state=JobState.RESTARTING)

    jobs.record_progress(job_id=job.job_id, step=7, at=LATER)

    job.refresh_from_db()
    assert job.state == JobState.RUNNING


def test_a_checkpoint_is_merged_from_its_reports_and_counts_once_verified() -> None:
    job = factories.JobFactory.create()
    said: dict[str, Any] = {"job_id": job.job_id, "step": 4200}

    jobs.record_checkpoint(**said, at=LATER, snapshot_at=NINE_OCLOCK, shards=8, expected=8)
    job.refresh_from_db()
    before = job.last_checkpoint_step
    jobs.record_checkpoint(**said, at=LATER, verified_at=LATER, regions=["ulanqab"])

    job.refresh_from_db()
    assert before is None
    assert (job.last_checkpoint_step, job.last_checkpoint_at) == (4200, NINE_OCLOCK)
    assert Checkpoint.objects.get().regions == ["ulanqab"]


def test_an_incomplete_checkpoint_is_not_usable() -> None:
    job = factories.JobFactory.create()

    jobs.record_checkpoint(
        job_id=job.job_id, step=10, at=LATER, verified_at=LATER, shards=7, expected=8
    )

    job.refresh_from_db()
    assert job.last_checkpoint_step is None
    assert not Checkpoint.objects.get().usable


def test_an_older_checkpoint_never_replaces_a_newer_one() -> None:
    job = factories.JobFactory.create()
    for step in (500, 400):
        jobs.record_checkpoint(job_id=job.job_id, step=step, at=LATER, verified_at=LATER)

    job.refresh_from_db()
    assert job.last_checkpoint_step == 500


def test_a_placement_counts_cards_nodes_and_ranks() -> None:
    node = factories.node()
    job = factories.JobFactory.create(cards=0, nodes=0, ranks=0)

    jobs.set_placement(
        job_id=job.job_id, places=[jobs.Place(path=node.path, first_rank=0)], at=LATER
    )

    job.refresh_from_db()
    assert (job.cards, job.nodes, job.ranks) == (8, 1, 16)


def test_a_placement_on_an_unknown_place_is_refused_and_keeps_the_old_one() -> None:
    placement = factories.PlacementFactory.create()

    with pytest.raises(Invalid, match="nowhere"):
        jobs.set_placement(
            job_id=placement.job.job_id, places=[jobs.Place(path="nowhere", first_rank=0)], at=LATER
        )

    assert Job.objects.get().placements.get() == placement


@settings(deadline=None, max_examples=25)
@given(st.permutations(range(6)))
def test_checkpoints_may_be_told_in_any_order(order: list[int]) -> None:
    job = factories.JobFactory.create()
    for step in order:
        jobs.record_checkpoint(job_id=job.job_id, step=step, at=LATER, verified_at=LATER)

    job.refresh_from_db()
    assert job.last_checkpoint_step == 5
    job.delete()
