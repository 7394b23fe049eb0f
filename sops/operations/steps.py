"""What people do to the steps of a run. The run's row is locked first; the second is refused."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from core.errors import NotFound
from people.models import User
from sops.events import TimelineKind
from sops.models import OUTPUT_LIMIT, Run, RunStep
from sops.operations import journal, opening, runs
from sops.queries import rights
from sops.states import (
    ENDED,
    Action,
    CloseReason,
    IllegalMove,
    RunMove,
    RunState,
    StepState,
    after,
    finished,
    run_after,
)


@transaction.atomic
def start(*, run_id: int, step: int | None, by: User, at: datetime) -> Run:
    """
    Open a waiting step before its turn; without `step`, whatever is ready.

    Nothing happens when all that is ready is in progress already.
    """
    run, row = open_run(run_id, step, by)
    if row is None:
        opening.open_ready(run=run, at=at)
        return run
    check_first(row, Action.START)
    opening.open_step(row=row, move=Action.START, at=at)
    journal.step(TimelineKind.STEP_STARTED, run=run, row=row, by=by, at=at)
    return run


@transaction.atomic
def done(*, run_id: int, step: int, output: str, note: str, by: User, at: datetime) -> Run:
    """`output` is what the commands printed: kept as text up to OUTPUT_LIMIT, never run."""
    run, row = need_step(run_id, step, by)
    end(row, Action.DONE, by=by, at=at, note=note, output=output)
    lines = len(row.output.splitlines())
    journal.step(TimelineKind.STEP_DONE, run=run, row=row, by=by, at=at, note=note, lines=lines)
    return go_on(run, by=by, at=at)


@transaction.atomic
def fail(*, run_id: int, step: int, note: str, output: str, by: User, at: datetime) -> Run:
    """What comes after a failed step waits until it is tried again, skipped or branched from."""
    run, row = need_step(run_id, step, by)
    end(row, Action.FAIL, by=by, at=at, note=note, output=output)
    journal.step(TimelineKind.STEP_FAILED, run=run, row=row, by=by, at=at, note=note)
    return run


@transaction.atomic
def retry(*, run_id: int, step: int, by: User, at: datetime) -> Run:
    run, row = need_step(run_id, step, by)
    check_first(row, Action.RETRY)
    opening.open_step(row=row, move=Action.RETRY, at=at)
    journal.step(TimelineKind.STEP_RETRIED, run=run, row=row, by=by, at=at)
    return run


@transaction.atomic
def skip(*, run_id: int, step: int, reason: str, by: User, at: datetime) -> Run:
    run, row = need_step(run_id, step, by)
    end(row, Action.SKIP, by=by, at=at, note=reason)
    journal.step(TimelineKind.STEP_SKIPPED, run=run, row=row, by=by, at=at, note=reason)
    return go_on(run, by=by, at=at)


def end(
    row: RunStep, action: Action, *, by: User, at: datetime, note: str = "", output: str = ""
) -> None:
    check_first(row, action)
    opening.keep_attempt(row)
    row.state = after(StepState(row.state), action)
    row.by, row.ended_at, row.note = by, at, note.replace("\x00", "")
    clean = output.replace("\x00", "")
    row.output, row.output_cut = clean[:OUTPUT_LIMIT], max(0, len(clean) - OUTPUT_LIMIT)
    row.save()


def go_on(run: Run, *, by: User, at: datetime) -> Run:
    """Open what is ready now; a run whose steps are all through is done."""
    opening.open_ready(run=run, at=at)
    if finished([row.slot for row in run.steps.all()]):
        runs.close(run=run, reason=CloseReason.FINISHED, by=by, at=at)
    return run


def open_run(run_id: int, step: int | None, by: User) -> tuple[Run, RunStep | None]:
    """The locked running run, and its step when one is named."""
    rights.check(by)
    run = Run.objects.lock(run_id)
    run_after(RunState(run.state), RunMove.FINISH)
    if step is None:
        return run, None
    row = run.steps.select_related("by").filter(number=step).first()
    if row is None:
        raise NotFound(gettext("This run has no step %(step)s.") % {"step": step})
    return run, row


def need_step(run_id: int, step: int, by: User) -> tuple[Run, RunStep]:
    run, row = open_run(run_id, step, by)
    assert row is not None  # noqa: S101 - a step was named
    return run, row


def check_first(row: RunStep, action: Action) -> None:
    """:raises IllegalMove: naming whoever was first, where somebody was."""
    state = StepState(row.state)
    if (
        state in (*ENDED, StepState.FAILED)
        and row.by
        and row.ended_at
        and not _legal(state, action)
    ):
        raise IllegalMove(
            gettext("Too late: step %(step)s is “%(state)s” since %(time)s, by %(who)s.")
            % {
                "step": row.number,
                "state": state.label,
                "time": f"{timezone.localtime(row.ended_at):%H:%M:%S}",
                "who": row.by,
            }
        )
    after(state, action)


def _legal(state: StepState, action: Action) -> bool:
    try:
        after(state, action)
    except IllegalMove:
        return False
    return True
