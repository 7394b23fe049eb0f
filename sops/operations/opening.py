"""How steps open: when nothing holds them up any more, or because somebody went there."""

from datetime import datetime, timedelta
from typing import Any

from core.queries import site
from sops.models import Run, RunStep
from sops.states import Action, Move, StepState, after, ready

PATIENCE = 2
"""A step at this many times its budget is for the commander to decide (domain.md 2.5 e)."""


def open_ready(*, run: Run, at: datetime) -> list[RunStep]:
    rows = list(run.steps.order_by("number"))
    numbers = set(ready([row.slot for row in rows]))
    opened = [row for row in rows if row.number in numbers]
    for row in opened:
        open_step(row=row, move=Action.START, at=at)
    return opened


def open_step(*, row: RunStep, move: Action | Move, at: datetime) -> None:
    keep_attempt(row)
    row.state = after(StepState(row.state), move)
    row.bypassed = False
    row.attempts += 1
    row.started_at, row.ended_at, row.decided_at = at, None, None
    row.decide_at = at + timedelta(minutes=PATIENCE * row.budget) / site().clock_scale
    row.by, row.note, row.output, row.output_cut, row.went_to = None, "", "", 0, ""
    row.save()


def rewind(*, row: RunStep) -> None:
    """It will be done again; what was written stays in `earlier`."""
    keep_attempt(row)
    row.state = after(StepState(row.state), Move.REWIND)
    row.started_at = row.ended_at = row.decide_at = row.decided_at = None
    row.by, row.note, row.output, row.output_cut, row.went_to = None, "", "", 0, ""
    row.save()


def keep_attempt(row: RunStep) -> None:
    if row.state in (StepState.WAITING, StepState.ACTIVE):
        return
    attempt: dict[str, Any] = {
        "attempt": row.attempts,
        "state": row.state,
        "started_at": row.started_at.isoformat() if row.started_at else None,
        "ended_at": row.ended_at.isoformat() if row.ended_at else None,
        "by": row.by_id,
        "note": row.note,
        "output": row.output,
        "output_cut": row.output_cut,
        "went_to": row.went_to,
    }
    row.earlier = [*row.earlier, attempt]
