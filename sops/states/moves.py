"""The two machines: a run and a step of it."""

from django.db.models import TextChoices
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.errors import Refused


class VersionState(TextChoices):
    DRAFT = "draft", _("Draft")
    IN_REVIEW = "in_review", _("In review")
    PUBLISHED = "published", _("Published")


class RunState(TextChoices):
    RUNNING = "running", _("Running")
    DONE = "done", _("Done")
    ABORTED = "aborted", _("Aborted")


class StepState(TextChoices):
    WAITING = "waiting", _("Waiting")
    ACTIVE = "active", _("In progress")
    DONE = "done", _("Done")
    FAILED = "failed", _("Failed")
    SKIPPED = "skipped", _("Skipped")
    BRANCHED = "branched", _("Branched")


class Action(TextChoices):
    """What a person does to a run: the words of the API and of the buttons."""

    START = "start", _("Start")
    DONE = "done", _("Done")
    FAIL = "fail", _("Failed")
    RETRY = "retry", _("Try again")
    SKIP = "skip", _("Skip")
    BRANCH = "branch", _("Branch")
    ABORT = "abort", _("Abort")


class Move(TextChoices):
    """What happens to a step because of another one: somebody went back, or the run ended."""

    RETURN = "return", _("come back to")
    REWIND = "rewind", _("do again later")
    CLOSE = "close", _("end with the run")


class RunMove(TextChoices):
    FINISH = "finish", _("finish")
    ABORT = "abort", _("abort")


class CloseReason(TextChoices):
    FINISHED = "finished", _("all steps are through")
    RESTORED = "restored", _("the room stood down after recovery")
    ABORTED = "aborted", _("somebody aborted it")
    RECLASSIFIED = "reclassified", _("the failure class changed")
    BRANCHED = "branched", _("it went on in another procedure")
    MERGED = "merged", _("the incident was merged into another")
    CLOSED = "closed", _("the incident ended without recovery")


class IllegalMove(Refused):
    """The step or the run has moved on since the caller last looked."""


S = StepState
ENDED = (S.DONE, S.SKIPPED, S.BRANCHED)
"""The states after which the next steps may open. A failed step holds them up."""

STEP: dict[tuple[StepState, Action | Move], StepState] = {
    (S.WAITING, Action.START): S.ACTIVE,
    (S.WAITING, Action.SKIP): S.SKIPPED,
    (S.ACTIVE, Action.DONE): S.DONE,
    (S.ACTIVE, Action.FAIL): S.FAILED,
    (S.ACTIVE, Action.SKIP): S.SKIPPED,
    (S.ACTIVE, Action.BRANCH): S.BRANCHED,
    (S.ACTIVE, Move.CLOSE): S.SKIPPED,
    (S.FAILED, Action.RETRY): S.ACTIVE,
    (S.FAILED, Action.SKIP): S.SKIPPED,
    (S.FAILED, Action.BRANCH): S.BRANCHED,
    **{(state, Move.RETURN): S.ACTIVE for state in S if state != S.ACTIVE},
    **{(state, Move.REWIND): S.WAITING for state in ENDED},
}

RUN: dict[tuple[RunState, RunMove], RunState] = {
    (RunState.RUNNING, RunMove.FINISH): RunState.DONE,
    (RunState.RUNNING, RunMove.ABORT): RunState.ABORTED,
}


def after(state: StepState, move: Action | Move) -> StepState:
    """:raises IllegalMove: if the table has no such move."""
    if (state, move) not in STEP:
        raise IllegalMove(
            gettext("“%(move)s” is not possible: the step is “%(state)s”.")
            % {"move": move.label, "state": state.label}
        )
    return STEP[state, move]


def run_after(state: RunState, move: RunMove) -> RunState:
    """:raises IllegalMove: if the run has ended."""
    if (state, move) not in RUN:
        raise IllegalMove(gettext("Too late: this run is “%(state)s”.") % {"state": state.label})
    return RUN[state, move]


def actions_from(state: StepState) -> list[Action]:
    """What a person can do to a step in this state."""
    return [action for action in Action if (state, action) in STEP]
