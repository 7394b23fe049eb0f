"""
Calling people, over any number of incidents at once.

A muster gathers who is called, what is told and what is written, and then writes it set-based:
one statement a table, whether one incident opens or five hundred ladders take a step.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from notifications.operations import deliveries
from notifications.operations.deliveries import Message
from people.models import User
from people.queries import Cell, Duty, last_resort, on_duty_all, responsibilities
from warroom.models import Clock, ClockStep, Incident, Participant, TimelineEntry
from warroom.operations import messages, rows, timeline
from warroom.states import ParticipantMove, ParticipantState, participant_after

PRIMARY, BACKUP, MANAGER, NEXT_LEVEL = range(4)
LAST_RESORT = 4
LEVELS = ("primary", "backup", "manager", "next_level", "last_resort")
TEMPLATES = ("incident_call", "backup_call", "manager_call", "next_level_call", "last_resort_call")
UNREACHABLE = (ParticipantState.DECLINED,)


@dataclass
class Muster:
    """
    `at` is now: when people are really called. Timeline rows carry the instant they count for.

    People of `unread` incidents are read together when the first of them is asked for: a warning
    asks for nobody.
    """

    at: datetime
    people: dict[int, dict[int, Participant]]
    incidents: list[Incident] = field(default_factory=list)
    unread: list[int] = field(default_factory=list)
    fresh: list[Participant] = field(default_factory=list)
    touched: dict[int, Participant] = field(default_factory=dict)
    told: dict[tuple[int, str], Message] = field(default_factory=dict)
    entries: list[TimelineEntry] = field(default_factory=list)
    steps: list[ClockStep] = field(default_factory=list)
    _duties: dict[str, dict[str, Duty]] = field(default_factory=dict)
    _cells: dict[str, list[Cell]] = field(default_factory=dict)
    _last: list[User | None] = field(default_factory=list)
    _facts: dict[int, dict[str, Any]] = field(default_factory=dict)

    def of(self, incident: Incident) -> dict[int, Participant]:
        if self.unread:
            _read(self)
        return self.people.setdefault(incident.number, {})

    def facts(self, incident: Incident) -> dict[str, Any]:
        """What every message about the incident says first."""
        if incident.number not in self._facts:
            self._facts |= messages.about_each([incident, *self.incidents])
        return self._facts[incident.number]

    def duties(self, region: str) -> dict[str, Duty]:
        if region not in self._duties:
            self._duties[region] = {d.domain: d for d in on_duty_all(self.at, region)}
        return self._duties[region]

    def cells(self, failure_class: str | None) -> list[Cell]:
        if not failure_class:
            return []
        if failure_class not in self._cells:
            self._cells[failure_class] = responsibilities(failure_class)
        return self._cells[failure_class]

    def last(self) -> User | None:
        if not self._last:
            self._last.append(last_resort())
        return self._last[0]

    def write_down(
        self, incident: Incident, kind: str, at: datetime, text: str = "", **params: Any
    ) -> None:
        self.entries.append(
            TimelineEntry(
                incident_id=incident.number,
                kind=kind,
                params=params,
                text=text,
                at=at,
                recorded_at=max(at, self.at),
            )
        )

    def tell(self, message: Message) -> None:
        """One message a person and step; what a second call adds is not worth a second message."""
        self.told.setdefault((message.person_id, message.step_key), message)


def load(incidents: Iterable[Incident], at: datetime) -> Muster:
    known = list(incidents)
    return Muster(at=at, people={}, incidents=known, unread=[i.number for i in known])


def _read(muster: Muster) -> None:
    """The same few people are in many incidents: each is read once."""
    numbers, muster.unread = muster.unread, []
    found = list(Participant.objects.filter(incident__in=numbers).order_by("pk"))
    users = User.objects.in_bulk({one.user_id for one in found})
    for one in found:
        one.user = users[one.user_id]
        muster.people.setdefault(one.incident_id, {})[one.user_id] = one


def call(
    muster: Muster,
    incident: Incident,
    domains: Sequence[str],
    *,
    level: int,
    step_key: str,
    at: datetime,
) -> None:
    """
    Call for each domain whoever stands at `level`; an empty level advances at once.

    Declined people and those already called for the domain count as nobody; where the chain ends
    with nobody, the duty of last resort is called. `at` is the instant it counts for.
    """
    called: dict[int, Called] = {}
    for domain in domains:
        found = _find(muster, incident, domain, level)
        if found.gaps and (found.user or not _known(muster, incident, domain)):
            muster.write_down(incident, "nobody_on_duty", at, domain=domain, levels=found.gaps)
        if found.user is not None:
            _enlist(muster, incident, found.user, domain)
            called.setdefault(found.user.pk, Called(found.user, found.place)).domains.append(domain)
    for one in called.values():
        template = TEMPLATES[one.place]
        facts = muster.facts(incident)
        muster.tell(messages.call(incident, one.user.pk, one.domains, template, step_key, facts))
    if called:
        people = [one.described for one in called.values()]
        muster.write_down(incident, "called", at, level=LEVELS[level], people=people)


@dataclass
class Called:
    user: User
    place: int
    domains: list[str] = field(default_factory=list)

    @property
    def described(self) -> dict[str, Any]:
        return {
            "name": str(self.user),
            "user": self.user.pk,
            "domains": self.domains,
            "level": LEVELS[self.place],
        }


@dataclass(frozen=True, slots=True)
class Found:
    user: User | None
    place: int
    gaps: list[str]


def _known(muster: Muster, incident: Incident, domain: str) -> bool:
    """Whether somebody was called for the domain already: then it is not the roster that lacks."""
    return any(domain in p.domains for p in muster.of(incident).values())


def _find(muster: Muster, incident: Incident, domain: str, level: int) -> Found:
    duty = muster.duties(incident.region).get(domain)
    chain = [duty.primary, duty.backup, duty.manager, duty.next_level] if duty else [None] * 4
    gaps: list[str] = []
    for place, user in enumerate([*chain, muster.last()]):
        if place < level:
            continue
        if user is None:
            gaps.append(LEVELS[place])
        elif _new_to(muster, incident, user, domain):
            return Found(user, place, gaps)
    return Found(None, LAST_RESORT, gaps)


def _new_to(muster: Muster, incident: Incident, user: User, domain: str) -> bool:
    known = muster.of(incident).get(user.pk)
    if known is None:
        return True
    if known.state in UNREACHABLE:
        return False
    return domain not in known.domains or known.state == ParticipantState.REPLACED


def enlist(
    muster: Muster, incident: Incident, user: User, *, domains: Sequence[str] = (), role: str = ""
) -> Participant:
    """The person's row in the incident, asked if they were not in it yet; written by `write`."""
    one = muster.of(incident).get(user.pk)
    if one is None:
        one = Participant(incident_id=incident.number, user=user, state=ParticipantState.ASKED)
        one.asked_at = muster.at
        muster.of(incident)[user.pk] = one
        muster.fresh.append(one)
    elif one.state in (ParticipantState.REPLACED, ParticipantState.LEFT):
        one.state = participant_after(one.state, ParticipantMove.ASK)
        one.asked_at = muster.at
    one.domains = [*one.domains, *(d for d in domains if d not in one.domains)]
    if role and role not in one.roles:
        one.roles = [*one.roles, role]
    _touch(muster, one)
    return one


def _enlist(muster: Muster, incident: Incident, user: User, domain: str) -> None:
    one = enlist(muster, incident, user, domains=[domain])
    one.required = True
    one.calls += 1


def _touch(muster: Muster, one: Participant) -> None:
    if one.pk is not None:
        muster.touched[one.pk] = one


def touch(muster: Muster, one: Participant) -> None:
    """Mark a row that was changed in place, so that `write` saves it."""
    _touch(muster, one)


def on_duty(muster: Muster, incident: Incident, domain: str) -> User | None:
    """Whom the roster, or the chain above it, gives for a domain at minute 0."""
    return _find(muster, incident, domain, PRIMARY).user


def write(muster: Muster) -> None:
    """Participants, then deliveries, then the timeline: each in one statement."""
    if muster.fresh:
        rows.enlist(muster.fresh)
    if muster.touched:
        rows.change(muster.touched.values())
    if muster.steps:
        ClockStep.objects.bulk_create(muster.steps)
    if muster.told:
        deliveries.request(messages=list(muster.told.values()), at=muster.at)
    if muster.entries:
        timeline.record_many(muster.entries)


def steps_of(
    incident: Incident, clock: Clock | None, rungs: Sequence[dict[str, Any]], start: datetime
) -> list[ClockStep]:
    """The steps of a policy's rungs, at the snapshot's clock scale."""
    return [
        ClockStep(
            incident=incident,
            clock=clock,
            action=rung["action"],
            minute=rung["minute"],
            due_at=start + messages.minutes(incident, rung["minute"]),
        )
        for rung in rungs
    ]
