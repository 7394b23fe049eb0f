"""What the board and the room page show, in a constant number of queries."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from people.models import User
from people.queries import visible
from warroom.models import AffectedJob, Clock, ClockStep, HandOver, Incident, Participant, Room
from warroom.queries import gates, incidents, quorum
from warroom.states import (
    LIVE,
    OPEN,
    Action,
    ClockKind,
    ClockState,
    HandOverState,
    ParticipantState,
    StepState,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """An open incident as one line: both clocks, who is here, what this reader can do."""

    incident: Incident
    assemble: Clock | None
    restore: Clock | None
    present: int
    awaited: int
    missing: list[str]
    mine: Participant | None
    allowed_actions: list[Action]


@dataclass(frozen=True, slots=True, kw_only=True)
class Deadline:
    incident: Incident
    clock: Clock

    @property
    def due_at(self) -> datetime:
        return self.clock.due_at


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    rows: list[Row]
    next_deadline: Deadline | None
    by_tier: dict[int, int]

    @property
    def open_count(self) -> int:
        return len(self.rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class Blast:
    """`card_hours` is what stands idle times how long it has: the cost of the delay so far."""

    jobs: list[str]
    cards: int
    nodes: int
    supernodes: int
    cards_idle: int
    ranks: int
    steps_at_risk: int
    card_hours: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomPage:
    row: Row
    room: Room | None
    people: list[Participant]
    jobs: list[AffectedJob]
    offers: list[HandOver]
    next_steps: list[ClockStep]
    gates: list[gates.Gate]
    blast: Blast
    merged: list[Incident]

    @property
    def incident(self) -> Incident:
        return self.row.incident

    @property
    def allowed_actions(self) -> list[Action]:
        return self.row.allowed_actions


def board(user: User, at: datetime) -> Board:
    """Open incidents, the most serious first, with the next deadline of them all."""
    rows = [row(one, user) for one in _open(user)]
    rows.sort(key=lambda r: (r.incident.state not in LIVE, r.incident.tier, r.incident.opened_at))
    tiers = [r.incident.tier for r in rows]
    return Board(
        rows=rows,
        next_deadline=_soonest(r.incident for r in rows),
        by_tier={tier: tiers.count(tier) for tier in sorted(set(tiers))},
    )


def next_deadline(user: User, at: datetime) -> Deadline | None:
    return _soonest(_open(user))


def open_count(user: User) -> int:
    return visible(Incident.objects.filter(state__in=OPEN), user).count()


def _open(user: User) -> QuerySet[Incident]:
    return visible(Incident.objects.with_everything().filter(state__in=OPEN), user)


def _soonest(found: Iterable[Incident]) -> Deadline | None:
    running = [
        Deadline(incident=one, clock=clock)
        for one in found
        for clock in one.clocks.all()
        if clock.state == ClockState.RUNNING
    ]
    return min(running, key=lambda d: (d.due_at, d.incident.number), default=None)


def row(incident: Incident, user: User) -> Row:
    """Uses prefetched clocks, participants and hand-overs."""
    people = list(incident.participants.all())
    here = [p for p in people if p.state == ParticipantState.JOINED]
    waited = (ParticipantState.ASKED, ParticipantState.ACKNOWLEDGED, ParticipantState.NO_ANSWER)
    return Row(
        incident=incident,
        assemble=_clock(incident, ClockKind.ASSEMBLE),
        restore=_clock(incident, ClockKind.RESTORE),
        present=len(here),
        awaited=sum(1 for p in people if p.required and p.state in waited),
        missing=quorum.missing_domains(incident, people) if incident.live else [],
        mine=next((p for p in people if p.user_id == user.pk), None),
        allowed_actions=incident.allowed_actions_for(user),
    )


def _clock(incident: Incident, kind: ClockKind) -> Clock | None:
    own = [c for c in incident.clocks.all() if c.kind == kind]
    return max(own, key=lambda c: (c.started_at, c.pk), default=None)


def room(number: int, user: User, at: datetime) -> RoomPage:
    """
    Everything the room page shows of this app; constant queries, however large the room.

    :raises NotFound: if there is no such incident that `user` may see.
    """
    incident = incidents.incident(number, user)
    people = sorted(incident.participants.all(), key=_seat)
    jobs = incident.jobs.filter(dropped_at=None).select_related("proof_by").order_by("job_id")
    offers = incident.hand_overs.filter(state=HandOverState.OFFERED)
    pending = incident.steps.filter(state=StepState.PENDING).order_by("due_at", "pk")
    return RoomPage(
        row=row(incident, user),
        room=Room.objects.filter(incident=incident).first(),
        people=people,
        jobs=list(jobs),
        offers=list(offers.select_related("giver", "taker")),
        next_steps=list(pending[:5]),
        gates=gates.gates_missing(incident),
        blast=blast(incident, at),
        merged=list(incident.merged.order_by("number")),
    )


SEATS = [ParticipantState.JOINED, ParticipantState.ACKNOWLEDGED, ParticipantState.ASKED]


def _seat(one: Participant) -> tuple[int, bool, int]:
    """Who is here first, then who is awaited, then the others."""
    state = ParticipantState(one.state)
    place = SEATS.index(state) if state in SEATS else len(SEATS)
    return (place, not one.required, one.pk)


def blast(incident: Incident, at: datetime) -> Blast:
    affected, impact = incident.affected, incident.impact
    idle = int(impact.get("cards_idle") or 0)
    since, until = incident.occurred_at or incident.opened_at, incident.restored_at or at
    hours = max(0.0, (until - since).total_seconds()) / 3600
    named = [*(affected.get("jobs") or []), *(impact.get("jobs") or [])]
    return Blast(
        jobs=list(dict.fromkeys(str(job) for job in named)),
        cards=int(affected.get("cards") or 0),
        nodes=int(affected.get("nodes") or 0),
        supernodes=int(affected.get("supernodes") or 0),
        cards_idle=idle,
        ranks=int(impact.get("ranks") or 0),
        steps_at_risk=int(impact.get("steps_at_risk") or 0),
        card_hours=round(idle * hours, 1),
    )
