"""The ten stages of a recovery, in order, and what a job controller may report. Pure data."""

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _


class StageSlug(TextChoices):
    """
    domain.md 5.4. `checkpoint_backup` is off the path: it lowers what is lost, not how long.
    """

    FAULT_DETECTION = "fault_detection", _("Fault detection")
    DIAGNOSIS = "diagnosis", _("Diagnosis")
    RESCHEDULE = "reschedule", _("Reschedule")
    PROCESS_STOP = "process_stop", _("Process stop")
    ENVIRONMENT_INIT = "environment_init", _("Environment initialisation")
    DATA_RESTORE = "data_restore", _("Data restore")
    CHECKPOINT_LOAD = "checkpoint_load", _("Checkpoint load")
    LINK_BUILD = "link_build", _("Link building")
    OPERATOR_COMPILE = "operator_compile", _("Operator compile")
    FIRST_STEP = "first_step", _("First step")
    CHECKPOINT_BACKUP = "checkpoint_backup", _("Checkpoint backup")


ON_PATH = [slug for slug in StageSlug if slug != StageSlug.CHECKPOINT_BACKUP]
ORDER = {str(slug): index for index, slug in enumerate(StageSlug, start=1)}


class ReportEvent(TextChoices):
    FAULT = "fault"
    STAGE = "stage"
    STAGE_STARTED = "stage_started"
    STAGE_ENDED = "stage_ended"
    FELL_BACK = "fell_back"
    FIRST_STEP = "first_step"
    CAUGHT_UP = "caught_up"
    STEPS = "steps"
    FAILED = "failed"
    CHECKPOINT = "checkpoint"


# Of the recovery itself; `steps` may come without one, `checkpoint` belongs to the job.
NEED_RECOVERY = set(ReportEvent) - {ReportEvent.STEPS, ReportEvent.CHECKPOINT}

# domain.md 2.5: recovered is 10 consecutive steps at 95 % of the baseline.
PROOF_STEPS = 10
PROOF_RATIO = 0.95

# design.md: the aim is 188 → 20 minutes, from the fault to the first step after the restart.
BASELINE_S = 11280
TARGET_S = 1200
