"""Runs follow their incident: one begins with the room, and ends with it."""

from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext

from core.errors import NotFound, Refused
from people.models import User
from people.queries import visible
from sops.models import ProcedureVersion, Run, RunStep
from sops.operations import journal, opening
from sops.queries import rights
from sops.states import CloseReason, Move, RunMove, RunState, StepState, after, run_after
from warroom.models import Incident
from warroom.states import IncidentState

ENDS = {
    IncidentState.MERGED: CloseReason.MERGED,
    IncidentState.FALSE_ALARM: CloseReason.CLOSED,
    IncidentState.REJECTED: CloseReason.CLOSED,
}


@transaction.atomic
def follow(*, number: int, at: datetime) -> Run | None:
    """
    Bring the run of an incident in line with the incident; safe to repeat.

    A live incident of a class with a published procedure has a run of it, unless one of this
    class was there already. Another class closes the run with its done steps kept; the new one
    counts its budgets from the opening, too. An ended incident ends its run.
    """
    if in_line := _in_line(number):
        return in_line
    incident = Incident.objects.select_for_update(no_key=True).filter(number=number).first()
    if incident is None:
        return None
    latest = _latest(number)
    if not incident.open:
        return _end(latest, incident, at)
    if incident.state == IncidentState.PROPOSED or not incident.live:
        return latest
    if latest and latest.incident_class == (incident.failure_class or ""):
        return _seen_by_the_same(latest, incident)
    if latest and latest.running:
        close(run=latest, reason=CloseReason.RECLASSIFIED, by=None, at=at)
    version = current_version(incident.failure_class or "")
    return begin(incident=incident, version=version, by=None, at=at) if version else None


@transaction.atomic
def start(*, number: int, failure_class: str, by: User, at: datetime) -> Run:
    """
    Start a procedure by hand: for an incident without a class, or again after an abort.

    Without `failure_class` it is the incident's own.

    :raises NotFound: if `by` may not see the incident, or there is no such procedure.
    """
    rights.check(by)
    seen = visible(Incident.objects.filter(number=number), by).exists()
    if not seen:
        raise NotFound(gettext("There is no incident %(number)s here.") % {"number": number})
    incident = Incident.objects.lock(number)
    if not incident.open or incident.state == IncidentState.PROPOSED:
        raise Refused(gettext("The incident is not open: there is nothing to walk through."))
    if latest := Run.objects.of(number).running().first():
        raise Refused(gettext("%(run)s runs already; abort it first.") % {"run": latest.version})
    code = failure_class or incident.failure_class or ""
    if not code:
        raise Refused(gettext("The incident has no failure class yet: name the procedure."))
    version = current_version(code)
    if version is None:
        raise NotFound(gettext("There is no published procedure %(code)s.") % {"code": code})
    return begin(incident=incident, version=version, by=by, at=at)


def current_version(code: str) -> ProcedureVersion | None:
    published = ProcedureVersion.objects.published().filter(procedure=code)
    return published.select_related("procedure").order_by("-number").first()


def begin(
    *,
    incident: Incident,
    version: ProcedureVersion,
    by: User | None,
    at: datetime,
    branched_from: Run | None = None,
    from_step: int | None = None,
) -> Run:
    """A running run with its first steps open. The caller holds the incident's row."""
    run = Run.objects.create(
        incident_number=incident.number,
        version=version,
        incident_class=incident.failure_class or "",
        branched_from=branched_from,
        opened_at=incident.opened_at,
        started_at=at,
        is_drill=incident.is_drill,
        region=incident.region,
        audience=incident.audience,
    )
    RunStep.objects.bulk_create(
        RunStep(
            run=run,
            number=step.number,
            start_minute=step.start,
            end_minute=step.end,
            group=step.group,
            bypassed=bool(from_step and step.number < from_step),
        )
        for step in version.text.steps
    )
    journal.started(run=run, by=by, at=at, from_step=from_step)
    opening.open_ready(run=run, at=at)
    return run


def close(*, run: Run, reason: CloseReason, by: User | None, at: datetime, note: str = "") -> Run:
    """End a running run; what was done stays, what was in progress is skipped."""
    finish = reason in (CloseReason.FINISHED, CloseReason.RESTORED)
    run.state = run_after(RunState(run.state), RunMove.FINISH if finish else RunMove.ABORT)
    run.closed_at, run.closed_by, run.closed_reason, run.closed_note = at, by, reason, note
    run.save(update_fields=["state", "closed_at", "closed_by", "closed_reason", "closed_note"])
    run.steps.filter(state=StepState.ACTIVE).update(
        state=after(StepState.ACTIVE, Move.CLOSE), ended_at=at, by=by
    )
    journal.closed(run=run, by=by, at=at, note=note)
    return run


@transaction.atomic
def abort(*, run_id: int, reason: str, by: User, at: datetime) -> Run:
    rights.check(by)
    run = Run.objects.lock(run_id)
    return close(run=run, reason=CloseReason.ABORTED, by=by, at=at, note=reason)


def _in_line(number: int) -> Run | None:
    """The run that needs nothing, read without a lock: storms change incidents often."""
    run = Run.objects.of(number).running().first()
    if run is None:
        return None
    fits = Incident.objects.live().filter(
        number=number,
        failure_class=run.incident_class or None,
        region=run.region,
        audience=run.audience_id,
    )
    return run if fits.exists() else None


def _latest(number: int) -> Run | None:
    found = Run.objects.of(number).values_list("pk", flat=True).first()
    return Run.objects.lock(found) if found else None


def _end(latest: Run | None, incident: Incident, at: datetime) -> Run | None:
    if latest is None or not latest.running:
        return latest
    ended = CloseReason.RESTORED if incident.restored_at else CloseReason.CLOSED
    reason = ENDS.get(IncidentState(incident.state), ended)
    return close(run=latest, reason=reason, by=None, at=at)


def _seen_by_the_same(run: Run, incident: Incident) -> Run:
    """Whoever may see the incident may see its runs."""
    same = Q(region=incident.region, audience=incident.audience)
    others = Run.objects.filter(incident_number=incident.number).exclude(same)
    others.update(region=incident.region, audience=incident.audience)
    run.region, run.audience_id = incident.region, incident.audience_id
    return run
