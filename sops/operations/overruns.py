"""The sweep over steps at twice their budget: from there on the commander decides."""

from datetime import datetime

from django.db import transaction

from sops.events import TimelineKind
from sops.models import Run, RunStep
from sops.operations import journal

BATCH = 100


def say_due(*, at: datetime) -> int:
    """
    Say in the room, once a step, that it reached twice its budget by `at`; returns how many.

    Any number may run at once: each claims runs under a lock that the others skip.
    """
    said = 0
    while batch := _say_batch(at=at):
        said += batch
    return said


@transaction.atomic
def _say_batch(*, at: datetime) -> int:
    due = RunStep.objects.undecided().filter(decide_at__lte=at)
    ids = list(due.order_by("decide_at").values_list("run", flat=True)[:BATCH])
    if not ids:
        return 0
    claimed = Run.objects.running().filter(pk__in=ids).order_by("pk")
    runs = {run.pk: run for run in claimed.select_for_update(skip_locked=True, no_key=True)}
    rows = list(due.filter(run__in=runs).select_related("run__version").order_by("decide_at"))
    for row in rows:
        if row.decide_at:
            journal.step(
                TimelineKind.STEP_DECIDE, run=row.run, row=row, by=None, at=row.decide_at,
                recorded_at=at,
            )  # fmt: skip
    RunStep.objects.filter(pk__in=[row.pk for row in rows]).update(decided_at=at)
    return len(rows)
