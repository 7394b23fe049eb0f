"""Clocks: started with a room, met by people and jobs, fired by the sweep."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from core.operations import sql
from warroom.models import Clock, ClockStep, HandOver, Incident
from warroom.operations import calls, ladder, messages, muster, timeline
from warroom.states import (
    ClockKind,
    ClockMove,
    ClockState,
    StepAction,
    StepState,
    clock_after,
)

BATCH = 500  # incidents claimed by one transaction of a sweep
BREACH = {
    ClockKind.ASSEMBLE: StepAction.ASSEMBLE_BREACH,
    ClockKind.RESTORE: StepAction.RESTORE_BREACH,
}

# The owners are locked before their clocks, here and everywhere. What another sweep holds does not
# count towards the limit, so that two sweeps share what is due.
CLAIM = """
    SELECT DISTINCT c.number FROM (
        SELECT i.number FROM warroom_clockstep AS s
        JOIN warroom_incident AS i ON i.number = s.incident_id
        WHERE s.state = 'pending' AND s.due_at <= %b
        ORDER BY s.due_at, s.incident_id LIMIT %b
        FOR NO KEY UPDATE OF i SKIP LOCKED
    ) AS c
"""
FIRE = """
    UPDATE warroom_clockstep AS s SET state = 'fired', fired_at = %b
    FROM warroom_incident AS i
    WHERE s.incident_id = ANY(%b::bigint[]) AND s.state = 'pending' AND s.due_at <= %b
        AND i.number = s.incident_id
    RETURNING s.due_at, s.id, s.incident_id, s.clock_id, s.participant_id, s.action, s.minute,
        s.domains::text[],
        s.due_at + coalesce((i.policy ->> 'expire_hours')::float8, 12) * interval '1 hour' < %b
"""


def fire_due(*, at: datetime) -> int:
    """
    Fire every step due by `at`, and return how many fired.

    Any number of processes may run this at once: each claims whole incidents under a lock that
    the others skip, and fires all their due steps in one transaction.
    """
    fired = 0
    while (batch := _fire_batch(at)) is not None:
        fired += batch
    return fired


@transaction.atomic
def _fire_batch(at: datetime) -> int | None:
    """None: nothing was left to claim. 0: another sweep fired it between our look and our lock."""
    claimed = [number for (number,) in sql.run(CLAIM, at, BATCH)]
    return fire(claimed, at) if claimed else None


def fire(numbers: Sequence[int], at: datetime) -> int:
    """Fire the due steps of incidents that the caller has locked."""
    steps = [ladder.Due(*row) for row in sql.run(FIRE, at, list(numbers), at, at)]
    if steps:
        ladder.take_steps(steps, at)
    return len(steps)


def start(*, incident: Incident, kind: ClockKind, at: datetime) -> Clock:
    """Start a contract clock with the steps of the policy that the incident took along."""
    rungs = calls.rungs_of(incident, kind)
    last = next(r for r in rungs if r["action"] == BREACH[kind])
    clock = Clock.objects.create(
        incident=incident,
        kind=kind,
        started_at=at,
        due_at=at + messages.minutes(incident, last["minute"]),
    )
    ClockStep.objects.bulk_create(muster.steps_of(incident, clock, rungs, at))
    return clock


def offer(*, incident: Incident, hand_over: HandOver, at: datetime) -> Clock:
    """The clock of a hand-over: unanswered, it falls back to the giver."""
    clock = Clock.objects.create(
        incident=incident,
        kind=ClockKind.HAND_OVER,
        started_at=at,
        due_at=hand_over.expires_at,
        hand_over=hand_over,
    )
    ClockStep.objects.create(
        incident=incident,
        clock=clock,
        action=StepAction.EXPIRE_HAND_OVER,
        minute=int(incident.policy.get("hand_over_minutes", 10)),
        due_at=hand_over.expires_at,
    )
    return clock


def meet(*, incident: Incident, kind: ClockKind, met_at: datetime, told_at: datetime) -> None:
    """
    The clock is met at `met_at`, of which we hear at `told_at`. What is left of its steps is held.

    A breach that was recorded before we heard is corrected when the instant was in time.
    """
    clock = _last(incident, kind, (ClockState.RUNNING, ClockState.BREACHED))
    if clock is None:
        return
    move = ClockMove.MEET
    if clock.state == ClockState.BREACHED and met_at < clock.due_at:
        move = ClockMove.CORRECT
    clock.state, clock.met_at = clock_after(clock.state, move), met_at
    clock.save(update_fields=["state", "met_at"])
    clock.steps.filter(state=StepState.PENDING).update(state=StepState.HELD)
    timeline.record(
        incident=incident,
        kind="clock_met",
        at=met_at,
        recorded_at=max(met_at, told_at),
        clock=kind,
        state=clock.state,
        seconds=int((met_at - clock.started_at).total_seconds()),
        limit=int((clock.due_at - clock.started_at).total_seconds()),
    )


def resume(*, incident: Incident, kind: ClockKind) -> None:
    """A relapse: the old due time goes on, and steps that fired do not fire again."""
    clock = _last(incident, kind, (ClockState.MET, ClockState.MET_LATE))
    if clock is None:
        return
    clock.state, clock.met_at = clock_after(clock.state, ClockMove.RESUME), None
    clock.save(update_fields=["state", "met_at"])
    clock.steps.filter(state=StepState.HELD).update(state=StepState.PENDING)


def cancel(*, incident: Incident) -> None:
    """No clock of this incident runs any more, and none of its steps fires."""
    incident.clocks.filter(state__in=[ClockState.RUNNING, ClockState.BREACHED]).update(
        state=ClockState.CANCELLED
    )
    drop_steps(incident=incident)


def settle(*, clock: Clock, move: ClockMove, at: datetime) -> None:
    """End a hand-over's clock: met when accepted, cancelled when refused."""
    clock.state = clock_after(clock.state, move)
    clock.met_at = at if move == ClockMove.MEET else None
    clock.save(update_fields=["state", "met_at"])
    clock.steps.filter(state=StepState.PENDING).update(state=StepState.CANCELLED)


def drop_steps(*, incident: Incident) -> None:
    incident.steps.filter(state__in=[StepState.PENDING, StepState.HELD]).update(
        state=StepState.CANCELLED
    )


def _last(incident: Incident, kind: ClockKind, states: Sequence[ClockState]) -> Clock | None:
    clocks = incident.clocks.select_for_update(no_key=True)
    return clocks.filter(kind=kind, state__in=states).order_by("-started_at", "-pk").first()
