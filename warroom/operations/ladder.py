"""What a fired step does: rungs of the ladder, warnings, breaches. Set-based over incidents."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from django.db.models import F

from core.operations import events
from warroom.models import Clock, ClockStep, HandOver, Incident, Room
from warroom.operations import calls, messages, muster
from warroom.operations.muster import BACKUP, MANAGER, NEXT_LEVEL, Muster
from warroom.queries import quorum
from warroom.states import (
    LIVE,
    ClockState,
    HandOverState,
    ParticipantMove,
    ParticipantState,
    RoomState,
    StepAction,
    StepState,
    participant_after,
)

HAND_OVER_EXPIRED = {
    "en": "Nobody answered your hand-over. You are still responsible.",
    "zh": "您的移交无人应答，责任仍在您。",
}
LEVEL_OF = {
    StepAction.CALL_BACKUPS: BACKUP,
    StepAction.CALL_MANAGERS: MANAGER,
    StepAction.CALL_NEXT_LEVEL: NEXT_LEVEL,
}


# All that a warning, a rung or a breach reads of its incident.
NARROW: tuple[str, ...] = (
    *("number", "title", "title_code", "title_params", "state", "tier", "failure_class", "root"),
    *("domains_called", "owner", "commander", "recovery_owner", "opened_at"),
    *("is_drill", "region", "audience"),
)
BY_EVIDENCE = (StepAction.TELL_OTHERS, StepAction.RAISE_TIER)


class Due(NamedTuple):
    """A step that fired, in the order in which they are taken; `stale`: too old to page anybody."""

    due_at: datetime
    pk: int
    incident_id: int
    clock_id: int | None
    participant_id: int | None
    action: str
    minute: int
    domains: list[str] | None
    stale: bool


@dataclass
class Fired:
    """One batch: its incidents (locked by the caller), and what its steps come to."""

    at: datetime
    incidents: dict[int, Incident]
    muster: Muster
    moot: list[int] = field(default_factory=list)
    expired: list[int] = field(default_factory=list)
    breached: list[int] = field(default_factory=list)
    started: list[int] = field(default_factory=list)
    lapsed: list[int] = field(default_factory=list)
    raised: dict[int, Incident] = field(default_factory=dict)


def take_steps(steps: Iterable[Due], at: datetime) -> None:
    """Do what fired steps say, oldest first, and write it all with one statement a table."""
    steps = sorted(steps, key=lambda step: step[:2])
    incidents = _incidents(steps)
    fired = Fired(at=at, incidents=incidents, muster=muster.load(incidents.values(), at))
    for step in steps:
        incident = incidents[step.incident_id]
        if step.stale:
            _only_record(fired, incident, step)
        else:
            TAKE[StepAction(step.action)](fired, incident, step)
    _write(fired)


def _incidents(steps: Collection[Due]) -> dict[int, Incident]:
    """Without their evidence and policy, which are most of a row, where no step reads them."""
    rows = Incident.objects.filter(number__in={step.incident_id for step in steps})
    if not any(step.action in BY_EVIDENCE for step in steps):
        rows = rows.only(*NARROW)
    return {one.number: one for one in rows}


def _write(fired: Fired) -> None:
    at = fired.at
    ClockStep.objects.filter(pk__in=fired.moot).update(state=StepState.CANCELLED)
    ClockStep.objects.filter(pk__in=fired.expired).update(state=StepState.EXPIRED)
    _breach_clocks(fired.breached)
    Room.objects.filter(incident__in=fired.started, state=RoomState.CONVENING).update(
        state=RoomState.ACTIVE, active_at=at
    )
    HandOver.objects.filter(clock__in=fired.lapsed, state=HandOverState.OFFERED).update(
        state=HandOverState.EXPIRED, answered_at=at
    )
    if fired.raised:
        Incident.objects.bulk_update(
            fired.raised.values(), ["tier", "tier_reason", "domains_called"]
        )
        events.publish_many(
            kind="incident_escalated", ids=[{"number": n} for n in sorted(fired.raised)]
        )
    muster.write(fired.muster)
    events.publish_many(
        kind="incident_changed", ids=[{"number": n} for n in sorted(fired.incidents)]
    )


def _breach_clocks(clocks: list[int]) -> None:
    """A breach counts from the deadline, however late the sweep was."""
    Clock.objects.filter(pk__in=clocks, state=ClockState.RUNNING).update(
        state=ClockState.BREACHED, breached_at=F("due_at")
    )


def _only_record(fired: Fired, incident: Incident, step: Due) -> None:
    """Nobody is paged by an incident of last spring; a missed deadline is missed all the same."""
    fired.expired.append(step.pk)
    if step.clock_id and step.action in BREACHES:
        fired.breached.append(step.clock_id)
        if step.action == StepAction.EXPIRE_HAND_OVER:
            fired.lapsed.append(step.clock_id)
    fired.muster.write_down(
        incident, "step_expired", step.due_at, action=step.action, minute=step.minute
    )


def _climb(fired: Fired, incident: Incident, step: Due) -> None:
    people = fired.muster.of(incident).values()
    missing = quorum.missing_domains(incident, people)
    if step.domains is not None:
        missing = [d for d in missing if d in step.domains]
    if not missing or incident.state not in LIVE:
        fired.moot.append(step.pk)
        return
    muster.call(
        fired.muster,
        incident,
        missing,
        level=LEVEL_OF[StepAction(step.action)],
        step_key=f"step:{step.pk}",
        at=step.due_at,
    )


def _tell_others(fired: Fired, incident: Incident, step: Due) -> None:
    if incident.state in LIVE:
        calls.tell_others(fired.muster, incident)
    else:
        fired.moot.append(step.pk)


def _assemble_breach(fired: Fired, incident: Incident, step: Due) -> None:
    """The room starts anyway; who did not answer is marked so, and can still join."""
    if step.clock_id:
        fired.breached.append(step.clock_id)
    fired.started.append(incident.number)
    people = fired.muster.of(incident)
    missing = quorum.missing_domains(incident, people.values())
    for one in people.values():
        if one.state == ParticipantState.ASKED:
            one.state = participant_after(one.state, ParticipantMove.GIVE_UP)
            muster.touch(fired.muster, one)
    fired.muster.write_down(
        incident, "assemble_breached", step.due_at, missing=missing, minute=step.minute
    )
    _tell(fired, incident, "clock_breach", step, clock="assemble", domain=", ".join(missing))


def _raise_tier(fired: Fired, incident: Incident, step: Due) -> None:
    if incident.state not in LIVE:
        fired.moot.append(step.pk)
    elif incident.tier > 2:
        calls.raise_tier(
            fired.muster, incident, tier=2, at=step.due_at, because={"slug": "sixty_minutes"}
        )
        fired.raised[incident.number] = incident
    else:
        fired.muster.write_down(incident, "sixty_minutes", step.due_at, minute=step.minute)
        _tell(fired, incident, "clock_warning", step, clock="restore", minutes=60)


def _safest_restart(fired: Fired, incident: Incident, step: Due) -> None:
    if incident.state not in LIVE:
        fired.moot.append(step.pk)
        return
    fired.muster.write_down(incident, "safest_restart", step.due_at, minute=step.minute)
    _tell(fired, incident, "clock_warning", step, clock="restore", minutes=30)


def _restore_breach(fired: Fired, incident: Incident, step: Due) -> None:
    if step.clock_id:
        fired.breached.append(step.clock_id)
    fired.muster.write_down(incident, "restore_breached", step.due_at, minute=step.minute)
    _tell(fired, incident, "clock_breach", step, clock="restore")


def _ask_again(fired: Fired, incident: Incident, step: Due) -> None:
    one = next((p for p in fired.muster.of(incident).values() if p.pk == step.participant_id), None)
    if one is None or one.state != ParticipantState.ACKNOWLEDGED or incident.state not in LIVE:
        fired.moot.append(step.pk)
        return
    one.state = participant_after(one.state, ParticipantMove.FORGET)
    one.calls += 1
    muster.touch(fired.muster, one)
    fired.muster.write_down(incident, "asked_again", step.due_at, person=str(one.user))
    fired.muster.tell(
        messages.call(
            incident,
            one.user_id,
            one.domains,
            "incident_call",
            f"step:{step.pk}",
            fired.muster.facts(incident),
        )
    )


def _expire_hand_over(fired: Fired, incident: Incident, step: Due) -> None:
    offer = HandOver.objects.filter(clock=step.clock_id, state=HandOverState.OFFERED).first()
    if offer is None or step.clock_id is None:
        fired.moot.append(step.pk)
        return
    fired.breached.append(step.clock_id)
    fired.lapsed.append(step.clock_id)
    names = {"giver": str(offer.giver), "taker": str(offer.taker)}
    fired.muster.write_down(incident, "hand_over_expired", step.due_at, what=offer.what, **names)
    fired.muster.tell(
        messages.message(
            incident, offer.giver_id, "general", f"step:{step.pk}", text=HAND_OVER_EXPIRED
        )
    )


def _tell(fired: Fired, incident: Incident, template: str, step: Due, **params: object) -> None:
    facts = fired.muster.facts(incident)
    for message in messages.in_charge(incident, template, f"step:{step.pk}", facts=facts, **params):
        fired.muster.tell(message)


BREACHES = (
    StepAction.ASSEMBLE_BREACH,
    StepAction.RESTORE_BREACH,
    StepAction.EXPIRE_HAND_OVER,
)
TAKE: dict[StepAction, Callable[[Fired, Incident, Due], None]] = {
    StepAction.TELL_OTHERS: _tell_others,
    StepAction.CALL_BACKUPS: _climb,
    StepAction.CALL_MANAGERS: _climb,
    StepAction.CALL_NEXT_LEVEL: _climb,
    StepAction.ASSEMBLE_BREACH: _assemble_breach,
    StepAction.RAISE_TIER: _raise_tier,
    StepAction.SAFEST_RESTART: _safest_restart,
    StepAction.RESTORE_BREACH: _restore_breach,
    StepAction.ASK_AGAIN: _ask_again,
    StepAction.EXPIRE_HAND_OVER: _expire_hand_over,
}
