"""Where a decision leads: another step, another procedure, a higher tier."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext

from core.errors import Invalid, NotFound
from people.models import User
from sops.events import TimelineKind
from sops.models import ProcedureVersion, Run, RunStep
from sops.operations import journal, opening, runs, steps
from sops.queries import rights
from sops.states import Action, CloseReason, Move, StepState, Target, branching
from warroom.models import Incident
from warroom.operations import actions as incidents


@transaction.atomic
def branch(*, run_id: int, step: int, to: str, note: str, by: User, at: datetime) -> Run:
    """
    Leave `step` for `to`: a step number, a failure class (`PSD`, or `NCR:3` from its step 3),
    or `tier:2`.

    Another class changes the incident's class too, unless a step is named; the new run starts
    at once and its budgets still count from the opening. A raised tier leaves the step open.

    :raises Invalid: if `to` names nothing.
    """
    rights.check(by)
    try:
        target = Target.parse(to)
    except ValueError:
        raise Invalid(
            fields={"to": [gettext("Name a step, a failure class, or a tier, as in tier:2.")]}
        ) from None
    if target.tier:
        return _to_tier(run_id, step, target, note, by, at)
    if target.procedure:
        return _to_procedure(run_id, step, target, note, by, at)
    return _to_step(run_id, step, int(target.step or 0), note, by, at)


def _to_step(run_id: int, step: int, to: int, note: str, by: User, at: datetime) -> Run:
    run, row = steps.need_step(run_id, step, by)
    if to == step:
        raise Invalid(fields={"to": [gettext("The step cannot branch to itself: try it again.")]})
    if not run.steps.filter(number=to).exists():
        raise Invalid(fields={"to": [gettext("This run has no step %(step)s.") % {"step": to}]})
    _leave(row, str(to), note, by, at)
    title = run.version.text.step(to).title
    journal.step(
        TimelineKind.STEP_BRANCHED,
        run=run,
        row=row,
        by=by,
        at=at,
        note=note,
        to=to,
        to_title={"en": title.en, "zh": title.zh},
    )
    _redraw(run, source=step, target=to, at=at)
    return steps.go_on(run, by=by, at=at)


def _redraw(run: Run, *, source: int, target: int, at: datetime) -> None:
    rows = {row.number: row for row in run.steps.order_by("number")}
    effect = branching(
        [row.slot for row in rows.values()], run.version.text.choices, source=source, target=target
    )
    run.steps.filter(number__in=effect.bypass).update(bypassed=True)
    run.steps.filter(number__in=effect.restore - {target}).update(bypassed=False)
    for number in sorted(effect.rewind):
        opening.rewind(row=rows[number])
    goal = rows[target]
    if goal.state == StepState.WAITING:
        opening.open_step(row=goal, move=Action.START, at=at)
    elif goal.state != StepState.ACTIVE:
        opening.open_step(row=goal, move=Move.RETURN, at=at)


def _to_procedure(run_id: int, step: int, target: Target, note: str, by: User, at: datetime) -> Run:
    incident = _incident_of(run_id)
    version = _version(target)
    if not target.step and incident.failure_class != target.procedure:
        reason = _reason(run_id, step, target, note)
        incident = _take(
            incident, "reclassify", by, at, failure_class=target.procedure, reason=reason
        )
    run, row = steps.need_step(run_id, step, by)
    _leave(row, str(target), note, by, at)
    journal.step(
        TimelineKind.STEP_BRANCHED, run=run, row=row, by=by, at=at, note=note,
        to_procedure=str(target),
    )  # fmt: skip
    runs.close(run=run, reason=CloseReason.BRANCHED, by=by, at=at)
    return runs.begin(
        incident=incident, version=version, by=by, at=at, branched_from=run, from_step=target.step
    )


def _to_tier(run_id: int, step: int, target: Target, note: str, by: User, at: datetime) -> Run:
    reason = _reason(run_id, step, target, note)
    incident = _incident_of(run_id)
    _take(incident, "raise_tier", by, at, tier=target.tier, reason=reason)
    run, row = steps.need_step(run_id, step, by)
    steps.check_first(row, Action.BRANCH)
    row.note = note or row.note
    row.save(update_fields=["note"])
    journal.step(
        TimelineKind.STEP_BRANCHED, run=run, row=row, by=by, at=at, note=note, to_tier=target.tier
    )
    return run


def _leave(row: RunStep, to: str, note: str, by: User, at: datetime) -> None:
    steps.end(row, Action.BRANCH, by=by, at=at, note=note)
    row.went_to = to
    row.save(update_fields=["went_to"])


def _incident_of(run_id: int) -> Incident:
    """Locked before the run, as everywhere."""
    number = Run.objects.values_list("incident_number", flat=True).get(pk=run_id)
    return Incident.objects.lock(number)


def _take(incident: Incident, action: str, by: User, at: datetime, **data: Any) -> Incident:
    return incidents.take(number=incident.number, action=action, data=data, by=by, at=at)


def _version(target: Target) -> ProcedureVersion:
    version = runs.current_version(target.procedure)
    if version is None:
        raise NotFound(
            gettext("There is no published procedure %(code)s.") % {"code": target.procedure}
        )
    numbers = [step.number for step in version.text.steps]
    if target.step and target.step not in numbers:
        raise Invalid(
            fields={"to": [gettext("This run has no step %(step)s.") % {"step": target.step}]}
        )
    return version


def _reason(run_id: int, step: int, target: Target, note: str) -> str:
    """What the decision says, for whoever reads why the class or tier changed."""
    run = Run.objects.select_related("version").get(pk=run_id)
    found = next((s for s in run.version.text.steps if s.number == step), None)
    decisions = found.decisions if found else ()
    said = next((d.when for d in decisions if str(d.to) == str(target)), None)
    return note or (str(said) if said else gettext("SOP step %(step)s") % {"step": step})
