"""
Thirty days of demo history: several recoveries a day, on the way from 188 to 20 minutes.

Made up, marked as imported, and the same on every machine: the seed is fixed, and only the
dates depend on when it is loaded.
"""

from datetime import datetime

from django.db import transaction

from core.queries import site
from fleet.models import Job
from recovery.models import Recovery
from recovery.operations import history
from recovery.operations.demo import incidents, planning
from warroom.operations.history import import_closed


@transaction.atomic
def load(at: datetime) -> str:
    """Load the history that ends at `at`; where there is one already, nothing changes."""
    if Recovery.objects.filter(imported=True).exists():
        return "history: there already"
    jobs = {job.job_id: job for job in Job.objects.filter(job_id__in=planning.JOBS)}
    faults = planning.plan(at=at, zone=site().zone, jobs=jobs)
    past = [incidents.of(fault) for fault in faults]
    by_opening = {one.opened_at: one for one in import_closed(incidents=past, at=at)}
    recoveries = [
        (recovery, by_opening.get(one.opened_at))
        for fault, one in zip(faults, past, strict=True)
        for recovery in fault.recoveries
    ]
    count = history.import_recoveries(recoveries=recoveries)
    return f"history: {len(by_opening)} incidents, {count} recoveries in {planning.DAYS} days"
