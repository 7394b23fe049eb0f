"""Closed incidents of before: imported at once, set-based, and marked. They call nobody."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from people.models import User
from people.queries import Cell, Duty, on_duty_all, responsibilities
from warroom.models import AffectedJob, Clock, Incident, Participant, Room, TimelineEntry
from warroom.operations import domains, history_rows, opening
from warroom.states import IncidentState, Proof, Role, RoomState

ASSEMBLE, RESTORE = timedelta(minutes=10), timedelta(minutes=120)
RAISED = timedelta(minutes=60)
WEEK = 7 * 86_400  # seconds
FIRST_MONDAY = 4 * 86_400 + 3600  # of the Unix epoch, 09:00 in Asia/Shanghai


@dataclass(frozen=True, slots=True, kw_only=True)
class PastJob:
    job_id: str
    restored_at: datetime
    lost_steps: int
    checkpoint_step: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PastIncident:
    """
    One closed incident. `arrivals`: minutes after the opening at which the people who were
    called joined, in the order commander, recovery owner, then the required domains; repeated
    when there are more people. `what_restored` by language, of which the commander's is kept.
    """

    region: str
    failure_class: str
    event_class: str
    tier: int
    because: Mapping[str, str]
    tier_because: Mapping[str, str]
    facts: Mapping[str, Any]
    root: Mapping[str, Any]
    affected: Mapping[str, Any]
    impact: Mapping[str, Any]
    occurred_at: datetime
    detected_at: datetime
    opened_at: datetime
    acknowledged_at: datetime
    located_at: datetime
    closed_at: datetime
    arrivals: Sequence[float]
    jobs: Sequence[PastJob]
    what_restored: Mapping[str, str]
    alert_count: int
    received_count: int

    @property
    def restored_at(self) -> datetime:
        return max(job.restored_at for job in self.jobs)

    @property
    def raised_at(self) -> datetime | None:
        """When the 60 minutes' rule made a tier 3 a tier 2."""
        due = self.opened_at + RAISED
        return due if self.tier > 2 and self.restored_at > due else None


@dataclass(slots=True)
class Attendance:
    """Who came for what, and when."""

    user: User
    joined_at: datetime
    domains: list[str] = field(default_factory=list)
    roles: list[str] = field(default_factory=list)


@transaction.atomic
def import_closed(*, incidents: Sequence[PastIncident], at: datetime) -> list[Incident]:
    """
    Write closed incidents with rooms, clocks, people, jobs and timelines, in their order.

    Incidents at whose opening nobody was on duty for SRE are left out.
    """
    roll = Roll()
    gathered = [(past, roll.call(past)) for past in incidents]
    kept = [(past, here) for past, here in gathered if here]
    policy = opening.snapshot()
    rows = Incident.objects.bulk_create([_incident(past, here, policy) for past, here in kept])
    Room.objects.bulk_create([_room(one) for one in rows])
    Clock.objects.bulk_create([clock for one in rows for clock in _clocks(one)])
    made = list(zip(rows, kept, strict=True))
    AffectedJob.objects.bulk_create(
        [_job(one, job) for one, (past, _here) in made for job in past.jobs]
    )
    Participant.objects.bulk_create(
        [_participant(one, person) for one, (_past, here) in made for person in here]
    )
    TimelineEntry.objects.bulk_create(
        [entry for one, (past, here) in made for entry in history_rows.of(one, past, here)]
    )
    return rows


class Roll:
    """Duties and the matrix, read once for each region and week (rosters change on Mondays)."""

    def __init__(self) -> None:
        self._duties: dict[tuple[str, int], dict[str, Duty]] = {}
        self._cells: dict[str, list[Cell]] = {}

    def call(self, past: PastIncident) -> list[Attendance]:
        duties = self.duties(past)
        wanted = ["SRE", *self.required(past)]
        came: dict[int, Attendance] = {}
        for place, domain in enumerate(wanted):
            duty = duties.get(domain)
            user = (duty.primary or duty.backup) if duty else None
            if user is None:
                continue
            minutes = past.arrivals[place % len(past.arrivals)]
            joined_at = past.opened_at + timedelta(minutes=minutes)
            one = came.setdefault(user.pk, Attendance(user=user, joined_at=joined_at))
            one.domains.append(domain)
            if domain == "SRE":
                one.roles.append(Role.COMMANDER)
            if domain == "PLT":
                one.roles.append(Role.RECOVERY_OWNER)
        people = list(came.values())
        return people if people and Role.COMMANDER in people[0].roles else []

    def duties(self, past: PastIncident) -> dict[str, Duty]:
        key = (past.region, int((past.opened_at.timestamp() - FIRST_MONDAY) // WEEK))
        if key not in self._duties:
            found = on_duty_all(past.opened_at, past.region)
            self._duties[key] = {duty.domain: duty for duty in found}
        return self._duties[key]

    def required(self, past: PastIncident) -> list[str]:
        if past.failure_class not in self._cells:
            self._cells[past.failure_class] = responsibilities(past.failure_class)
        draft = Incident(
            tier=past.tier, facts=dict(past.facts), root=dict(past.root), impact=dict(past.impact)
        )
        called = domains.call_list(incident=draft, cells=self._cells[past.failure_class])
        others = [domain for domain in called.required if domain != "PLT"]
        return ["PLT", *others]


def _incident(
    past: PastIncident, here: Sequence[Attendance], policy: Mapping[str, Any]
) -> Incident:
    commander, owner = _with(here, Role.COMMANDER), _with(here, Role.RECOVERY_OWNER)
    incident = Incident(
        state=IncidentState.CLOSED,
        tier=2 if past.raised_at else past.tier,
        tier_reason={"slug": "sixty_minutes"} if past.raised_at else dict(past.tier_because),
        opened_because=dict(past.because),
        failure_class=past.failure_class,
        event_class=past.event_class,
        root=dict(past.root),
        affected=dict(past.affected),
        impact=dict(past.impact),
        facts=dict(past.facts),
        impact_kind=str(past.impact.get("type") or ""),
        what_restored=past.what_restored["zh" if commander.language == "zh-hans" else "en"],
        alert_count=past.alert_count,
        received_count=past.received_count,
        domains_called=[d for one in here for d in one.domains if d != "SRE"],
        first_responder=commander,
        owner=commander,
        commander=commander,
        recovery_owner=owner or commander,
        class_confirmed_by=commander,
        class_confirmed_at=past.located_at,
        root_confirmed_by=commander,
        occurred_at=past.occurred_at,
        occurred_confirmed=True,
        detected_at=past.detected_at,
        opened_at=past.opened_at,
        acknowledged_at=past.acknowledged_at,
        assembled_at=max(one.joined_at for one in here),
        located_at=past.located_at,
        restored_at=past.restored_at,
        closed_at=past.closed_at,
        policy=dict(policy),
        imported=True,
        region=past.region,
    )
    opening.retitle(incident)
    return incident


def _with(here: Iterable[Attendance], role: Role) -> User | Any:
    return next((one.user for one in here if role in one.roles), None)


def _room(incident: Incident) -> Room:
    return Room(
        incident=incident,
        state=RoomState.STOOD_DOWN,
        opened_at=incident.opened_at,
        active_at=incident.assembled_at,
        recovered_at=incident.restored_at,
        stood_down_at=incident.closed_at,
    )


def _clocks(incident: Incident) -> list[Clock]:
    return [
        _clock(incident, "assemble", ASSEMBLE, incident.assembled_at),
        _clock(incident, "restore", RESTORE, incident.restored_at),
    ]


def _clock(incident: Incident, kind: str, limit: timedelta, met_at: datetime | None) -> Clock:
    due_at = incident.opened_at + limit
    late = met_at is not None and met_at > due_at
    return Clock(
        incident=incident,
        kind=kind,
        state="met_late" if late else "met",
        started_at=incident.opened_at,
        due_at=due_at,
        met_at=met_at,
        breached_at=due_at if late else None,
    )


def _job(incident: Incident, job: PastJob) -> AffectedJob:
    return AffectedJob(
        incident=incident,
        job_id=job.job_id,
        added_at=incident.opened_at,
        restored_at=job.restored_at,
        proof=Proof.STEPS,
        evidence={"steps": 10, "ratio": 0.97},
        checkpoint_step=job.checkpoint_step,
        lost_steps=job.lost_steps,
    )


def _participant(incident: Incident, one: Attendance) -> Participant:
    return Participant(
        incident=incident,
        user=one.user,
        state="left",
        roles=one.roles,
        domains=one.domains,
        required=True,
        asked_at=incident.opened_at,
        acknowledged_at=one.joined_at,
        joined_at=one.joined_at,
        left_at=incident.closed_at,
        calls=1,
    )
