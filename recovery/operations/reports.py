"""Reports of job controllers: kept once each, folded into their recovery, told to the room."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.dateparse import parse_datetime

from core.operations import live
from fleet.models import Job
from fleet.operations import jobs
from recovery.events import Report
from recovery.models import Recovery, Stage
from recovery.models import Report as StoredReport
from recovery.operations import telling
from recovery.queries import folding, joining
from recovery.states import NEED_RECOVERY, PROOF_RATIO, PROOF_STEPS, ReportEvent

INSTANTS = ("at", "started_at", "ended_at")


@transaction.atomic
def record(*, reports: Sequence[Report], at: datetime) -> list[int]:
    """
    Take the reports in, in any order and any number of times; returns the incidents they touch.

    Recoveries are locked in order of their ids, so that two bodies never wait for each other.
    """
    touched: set[int] = set()
    by_recovery: dict[tuple[str, str], list[Report]] = {}
    for report in reports:
        if report.event in NEED_RECOVERY or report.recovery_id:
            by_recovery.setdefault((report.job_id, report.recovery_id), []).append(report)
    for (job_id, recovery_id), own in sorted(by_recovery.items()):
        recovery = _take(job_id=job_id, recovery_id=recovery_id, reports=own, at=at)
        if recovery and recovery.incident_id:
            touched.add(recovery.incident_id)
    for report in sorted(reports, key=lambda one: one.at):
        _note_job(report, at)
    if by_recovery:
        live.announce("recovery")
    return sorted(touched)


def _take(
    *, job_id: str, recovery_id: str, reports: Sequence[Report], at: datetime
) -> Recovery | None:
    recovery = _locked(job_id=job_id, recovery_id=recovery_id, reports=reports)
    if recovery is None:
        return None
    StoredReport.objects.bulk_create(
        [_stored(recovery, report, at) for report in reports], ignore_conflicts=True
    )
    return refold(recovery, at=at)


def _locked(*, job_id: str, recovery_id: str, reports: Sequence[Report]) -> Recovery | None:
    """`steps` alone starts no recovery: a degraded job proves itself without one."""
    known = Recovery.objects.filter(job_id=job_id, recovery_id=recovery_id)
    if not any(report.event in NEED_RECOVERY for report in reports) and not known.exists():
        return None
    job = Job.objects.filter(job_id=job_id).first()
    Recovery.objects.bulk_create(
        [
            Recovery(
                job_id=job_id,
                recovery_id=recovery_id,
                fault_at=min(report.at for report in reports),
                cards=job.cards if job else 0,
                region=job.region if job else "",
            )
        ],
        ignore_conflicts=True,
    )
    return known.select_for_update(no_key=True).get()


def _stored(recovery: Recovery, report: Report, at: datetime) -> StoredReport:
    body = _body(report)
    digest = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
    return StoredReport(
        recovery=recovery,
        digest=digest,
        event=report.event,
        at=report.at,
        body=body,
        received_at=at,
    )


def _body(report: Report) -> dict[str, Any]:
    values = asdict(report)
    for name in INSTANTS:
        values[name] = values[name].isoformat() if values[name] else None
    return json.loads(json.dumps(values, default=str))  # type: ignore[no-any-return]


def _read(stored: StoredReport) -> Report:
    values = dict(stored.body)
    for name in INSTANTS:
        values[name] = parse_datetime(values[name]) if values[name] else None
    values["levers"] = tuple(values["levers"])
    return Report(**values)


def refold(recovery: Recovery, *, at: datetime) -> Recovery:
    """Write what all reports of a locked recovery say together, and tell its room."""
    before = _known_before(recovery)
    folded = folding.fold([_read(stored) for stored in recovery.reports.all()])
    values = {name: value for name, value in asdict(folded).items() if name != "stages"}
    for name, value in values.items():
        setattr(recovery, name, value)
    recovery.incident = recovery.incident or joining.incident_of(
        job_id=recovery.job_id, fault_at=recovery.fault_at, until=recovery.first_step_at
    )
    if recovery.incident:
        recovery.is_drill = recovery.is_drill or recovery.incident.is_drill
        recovery.audience = recovery.incident.audience
    recovery.save()
    recovery.stages.all().delete()
    Stage.objects.bulk_create(
        [
            Stage(
                recovery=recovery,
                stage=one.stage,
                started_at=one.started_at,
                ended_at=one.ended_at,
                detail=one.detail,
            )
            for one in folded.stages
        ]
    )
    telling.tell(recovery, before=before, at=at)
    return recovery


def _known_before(recovery: Recovery) -> telling.Before:
    return telling.Before(
        incident_id=recovery.incident_id,
        first_step_at=recovery.first_step_at if recovery.success else None,
        failed_at=recovery.failed_at,
        known=recovery.reports.count() > 0 and recovery.incident_id is not None,
    )


def _note_job(report: Report, at: datetime) -> None:
    """What a report says of the job itself: progress, a checkpoint, or the proof that it runs."""
    if report.event == ReportEvent.CHECKPOINT and report.step is not None:
        jobs.record_checkpoint(
            job_id=report.job_id, step=report.step, at=at, **dict(report.checkpoint)
        )
        return
    if report.step is not None and report.event in (
        ReportEvent.FIRST_STEP,
        ReportEvent.CAUGHT_UP,
        ReportEvent.STEPS,
    ):
        jobs.record_progress(job_id=report.job_id, step=report.step, at=report.at)
    if (
        report.event == ReportEvent.STEPS
        and report.count >= PROOF_STEPS
        and report.throughput_ratio >= PROOF_RATIO
    ):
        telling.prove(report, at=at)


@transaction.atomic
def join_incident(*, number: int, at: datetime) -> int:
    """Give the recoveries that were reported before their incident opened to it."""
    found = joining.without_incident(number)
    for recovery in Recovery.objects.filter(pk__in=found).select_for_update(no_key=True):
        refold(recovery, at=at)
    return len(found)
