"""The kinds of rows that a run writes into the incident's timeline."""

from django.db.models import TextChoices


class TimelineKind(TextChoices):
    RUN_STARTED = "sop_run_started"
    RUN_CLOSED = "sop_run_closed"
    STEP_STARTED = "sop_step_started"
    STEP_DONE = "sop_step_done"
    STEP_FAILED = "sop_step_failed"
    STEP_RETRIED = "sop_step_retried"
    STEP_SKIPPED = "sop_step_skipped"
    STEP_BRANCHED = "sop_step_branched"
    STEP_DECIDE = "sop_step_decide"
