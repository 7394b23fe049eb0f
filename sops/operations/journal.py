"""What a run tells the room: timeline rows, with titles in both languages."""

from datetime import datetime
from typing import Any

from core.queries import site
from people.models import User
from sops.events import TimelineKind
from sops.models import Run, RunStep
from sops.states import StepState
from warroom.models import Incident
from warroom.operations import timeline


def minutes(since: datetime, at: datetime) -> int:
    """Whole minutes of the policy between two instants: `clock_scale` makes them shorter."""
    return max(0, int((at - since).total_seconds() * site().clock_scale // 60))


def step(
    kind: TimelineKind,
    *,
    run: Run,
    row: RunStep,
    by: User | None,
    at: datetime,
    note: str = "",
    recorded_at: datetime | None = None,
    **more: Any,
) -> None:
    title = run.version.text.step(row.number).title
    timeline.record(
        incident=Incident.objects.get(number=run.incident_number),
        kind=str(kind),
        at=at,
        recorded_at=recorded_at,
        actor=by,
        text=note,
        sop=run.version.procedure_id,
        run=run.pk,
        step=row.number,
        title={"en": title.en, "zh": title.zh},
        used=minutes(row.started_at, at) if row.started_at else 0,
        budget=row.budget,
        attempt=row.attempts,
        **more,
    )


def started(*, run: Run, by: User | None, at: datetime, from_step: int | None = None) -> None:
    name = run.version.text.name
    timeline.record(
        incident=Incident.objects.get(number=run.incident_number),
        kind=str(TimelineKind.RUN_STARTED),
        at=at,
        actor=by,
        sop=run.version.procedure_id,
        run=run.pk,
        name={"en": name.en, "zh": name.zh},
        version=run.version.number,
        from_step=from_step,
    )


def closed(*, run: Run, by: User | None, at: datetime, note: str = "") -> None:
    states = list(run.steps.values_list("state", flat=True))
    timeline.record(
        incident=Incident.objects.get(number=run.incident_number),
        kind=str(TimelineKind.RUN_CLOSED),
        at=at,
        actor=by,
        text=note,
        sop=run.version.procedure_id,
        run=run.pk,
        reason=run.closed_reason,
        done=states.count(StepState.DONE) + states.count(StepState.BRANCHED),
        steps=len(states),
        used=minutes(run.opened_at, at),
    )
