"""An incident opens: room, clocks and call list, in the transaction of whatever opened it."""

from datetime import datetime
from typing import Any

from core.errors import Refused
from core.operations import events
from core.queries import site
from fleet.models import FailureClass
from people.models import User
from warroom.models import AffectedJob, Incident, Room
from warroom.operations import calls, clocks, domains, muster
from warroom.operations.muster import Muster
from warroom.queries import policies
from warroom.states import ClockKind, Role


def convene(incident: Incident, *, at: datetime, by: User | None = None) -> None:
    """
    Save the incident as open, with room, clocks, call list and deliveries.

    `by` is who declared it, and so its first responder; otherwise that is the SRE on duty.

    :raises Refused: if there is nobody on this site who could be asked.
    """
    fresh = incident.number is None
    gathering = Muster(at=at, people={})
    incident.opened_at = at
    incident.policy = snapshot()
    _appoint(gathering, incident, by)
    called = domains.call_list(incident=incident, cells=gathering.cells(incident.failure_class))
    incident.domains_called = called.required
    incident.save(force_insert=fresh)
    Room.objects.create(incident=incident, opened_at=at)
    follow_jobs(incident, at=at)
    clocks.start(incident=incident, kind=ClockKind.ASSEMBLE, at=at)
    clocks.start(incident=incident, kind=ClockKind.RESTORE, at=at)
    gathering.write_down(
        incident,
        "opened",
        at,
        because=incident.opened_because,
        tier=incident.tier,
        tier_because=incident.tier_reason,
        failure_class=incident.failure_class,
        root=incident.root,
        by=str(by) if by else "",
    )
    calls.first_call(gathering, incident, at=at)
    _give_roles(gathering, incident)
    muster.write(gathering)
    events.publish(kind="incident_opened", number=incident.number)
    events.publish(kind="room_opened", number=incident.number)


def snapshot() -> dict[str, Any]:
    """The policy of today, taken along: later edits change later incidents only."""
    return {**policies.current("policies"), "scale": site().clock_scale}


def _appoint(gathering: Muster, incident: Incident, by: User | None) -> None:
    """Commander: SRE on duty. Recovery owner: PLT on duty. Nobody there: the last resort."""
    commander = muster.on_duty(gathering, incident, "SRE")
    if commander is None and by is None:
        raise Refused("Nobody can be called: name a duty of last resort.")
    incident.commander = commander or by
    incident.recovery_owner = muster.on_duty(gathering, incident, "PLT") or incident.commander
    incident.first_responder = by or commander
    incident.owner = incident.first_responder


def _give_roles(gathering: Muster, incident: Incident) -> None:
    for user, role in (
        (incident.commander, Role.COMMANDER),
        (incident.recovery_owner, Role.RECOVERY_OWNER),
    ):
        if user is not None:
            muster.enlist(gathering, incident, user, role=role)


def follow_jobs(incident: Incident, *, at: datetime) -> None:
    """The affected jobs as they are known now; one that turns out not to be is dropped."""
    wanted = jobs_of(incident)
    known = {job.job_id: job for job in incident.jobs.all()}
    AffectedJob.objects.bulk_create(
        [
            AffectedJob(incident=incident, job_id=job_id, added_at=at)
            for job_id in wanted
            if job_id not in known
        ]
    )
    gone = [job.pk for job in known.values() if job.job_id not in wanted and not job.restored_at]
    incident.jobs.filter(pk__in=gone, dropped_at=None).update(dropped_at=at)
    incident.jobs.filter(job_id__in=wanted).exclude(dropped_at=None).update(dropped_at=None)


def jobs_of(incident: Incident) -> list[str]:
    """Every job that the root takes down or that stands still because of it, each once."""
    named = [incident.affected.get("jobs"), incident.impact.get("jobs")]
    return list(dict.fromkeys(str(j) for jobs in named if isinstance(jobs, list) for j in jobs))


def retitle(incident: Incident) -> None:
    """The automatic headline; a title that a person wrote stays."""
    if incident.title_code not in ("", "auto") or (incident.title and not incident.title_code):
        return
    known = FailureClass.objects.filter(pk=incident.failure_class).first()
    incident.title_code = "auto"
    incident.title_params = {
        "class_en": known.name_en if known else "",
        "class_zh": known.name_zh if known else "",
        "root": {k: incident.root[k] for k in ("level", "path", "paths") if k in incident.root},
        "jobs": jobs_of(incident),
    }
    incident.title = incident.headline[:300]
