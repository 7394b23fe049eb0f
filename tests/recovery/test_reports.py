"""Reports become recoveries, join their incident, and tell its room: once each."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from fleet.models import Job
from recovery.handlers import read_receipt
from recovery.models import Recovery
from recovery.operations import reports
from tests.factories import NINE_OCLOCK
from tests.factories.fleet import JobFactory
from tests.factories.warroom import (
    AffectedJobFactory,
    ClockFactory,
    IncidentFactory,
    RoomFactory,
)
from warroom.models import Incident

pytestmark = pytest.mark.django_db
JOB = "pt-moe-700b-0318"
RECEIVED = NINE_OCLOCK + timedelta(hours=3)


def body(event: str, minute: float, **fields: Any) -> dict[str, Any]:
    at = (NINE_OCLOCK + timedelta(minutes=minute)).isoformat()
    return {"job_id": JOB, "recovery_id": "r-1", "event": event, "at": at, **fields}


def tell(*bodies: dict[str, Any]) -> Any:
    return read_receipt(list(bodies), source_id=1, receipt_id=uuid4(), at=RECEIVED)


WHOLE = [
    body("fault", 0, step_at_fault=184_240),
    body(
        "stage",
        5,
        stage="checkpoint_load",
        started_at=NINE_OCLOCK.isoformat(),
        ended_at=(NINE_OCLOCK + timedelta(minutes=5)).isoformat(),
        step=184_200,
    ),
    body("first_step", 18, step=184_201),
]


@pytest.fixture
def job() -> Job:
    return JobFactory.create(job_id=JOB, cards=6144, region="ulanqab")


@pytest.fixture
def incident(job: Job) -> Incident:
    found = IncidentFactory.create(opened_at=NINE_OCLOCK + timedelta(minutes=1), region="ulanqab")
    RoomFactory.create(incident=found)
    ClockFactory.create(incident=found)
    AffectedJobFactory.create(incident=found, job_id=JOB)
    return found


def test_reports_make_a_recovery_with_its_cards_and_stages(job: Job) -> None:
    outcome = tell(*WHOLE)

    recovery = Recovery.objects.get()
    assert outcome.state == "parsed"
    assert recovery.total_seconds == 18 * 60
    assert recovery.lost_steps == 40
    assert recovery.card_hours_lost == round(6144 * 18 / 60, 2)
    assert recovery.stages.get().seconds == 300


def test_the_same_reports_again_and_backwards_change_nothing(incident: Incident) -> None:
    tell(*WHOLE)
    lines = incident.timeline.count()

    for one in reversed(WHOLE):
        tell(one)

    assert Recovery.objects.get().reports.count() == len(WHOLE)
    assert incident.timeline.count() == lines


def test_a_recovery_joins_the_open_incident_of_its_job_and_tells_the_room(
    incident: Incident,
) -> None:
    outcome = tell(*WHOLE)

    assert outcome.incidents == [incident.number]
    kinds = list(incident.timeline.values_list("kind", flat=True))
    assert kinds.count("recovery_first_step") == 1
    assert incident.jobs.get().lost_steps == 40


def test_a_recovery_that_was_reported_before_the_incident_opened_joins_it_then(job: Job) -> None:
    tell(*WHOLE)
    late = IncidentFactory.create(opened_at=NINE_OCLOCK + timedelta(minutes=3))
    RoomFactory.create(incident=late)
    AffectedJobFactory.create(incident=late, job_id=JOB)

    reports.join_incident(number=late.number, at=NINE_OCLOCK + timedelta(minutes=20))

    assert Recovery.objects.get().incident == late


def test_ten_steps_at_95_percent_prove_the_job_and_nine_do_not(incident: Incident) -> None:
    steps = {"count": 9, "throughput_ratio": 1.0, "step": 184_210}
    tell(body("steps", 20, **steps))
    assert incident.jobs.get().restored_at is None

    tell(body("steps", 21, **{**steps, "count": 10}))

    assert incident.jobs.get().restored_at == NINE_OCLOCK + timedelta(minutes=21)
    incident.refresh_from_db()
    assert incident.restored_at == NINE_OCLOCK + timedelta(minutes=21)


def test_ten_slow_steps_prove_nothing(incident: Incident) -> None:
    tell(body("steps", 20, count=10, throughput_ratio=0.949))

    assert incident.jobs.get().restored_at is None


def test_steps_alone_start_no_recovery(incident: Incident) -> None:
    report = body("steps", 20, count=10, throughput_ratio=0.97)
    del report["recovery_id"]

    tell(report)

    assert not Recovery.objects.exists()
    assert incident.jobs.get().restored_at is not None


def test_a_checkpoint_report_reaches_the_jobs_registry(job: Job) -> None:
    at = NINE_OCLOCK.isoformat()
    tell(
        body(
            "checkpoint",
            0,
            step=184_300,
            snapshot_at=at,
            persisted_at=at,
            verified_at=at,
            shards=8,
            expected=8,
        )
    )

    job.refresh_from_db()
    assert job.last_checkpoint_step == 184_300


def test_a_body_with_one_bad_item_is_partly_parsed_and_says_which(job: Job) -> None:
    outcome = tell(WHOLE[0], {"event": "dance"}, WHOLE[2])

    assert outcome.state == "partly_parsed"
    assert "item 1" in outcome.reason
    assert Recovery.objects.get().success


def test_a_recovery_of_a_drill_is_a_drill(incident: Incident) -> None:
    Incident.objects.filter(pk=incident.pk).update(is_drill=True)

    tell(*WHOLE)

    assert Recovery.objects.get().is_drill
