"""Sending what is queued: claimed in a short transaction, sent outside any, recorded in another."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import Message
from time import monotonic
from typing import Any

import structlog
from django.db import connection, transaction
from django.db.models import F

from core.operations import events
from notifications.adapters import mail, texts
from notifications.models import Attempt, Channel, Delivery, DeliveryQuerySet
from notifications.operations import deliveries
from notifications.queries import routes_of
from notifications.states import LEASE, LIFETIME, MAX_ATTEMPTS, Reason, State, back_off

log = structlog.get_logger(__name__)
BATCH = 50
RECORD_EVERY = 10  # messages: what a kill can make us send twice
STOP_AFTER = LEASE / 3  # of the lease: the rest of the batch is given back in time


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    delivery: Delivery
    at: datetime
    answer: mail.Answer


def send_due(*, at: datetime) -> int:
    """
    Send one batch of what is due at `at`, and return how many deliveries were taken.

    Any number of processes may run this at once. A delivery that a killed process had taken is
    taken again when its lease of 30 s is over, with the same Message-ID, marked as a repeat.
    """
    batch = _claim(at)
    begun, outcomes = monotonic(), list[Outcome]()
    with mail.Mailer() as mailer:
        for place, delivery in enumerate(batch):
            elapsed = timedelta(seconds=monotonic() - begun)
            if elapsed > STOP_AFTER:
                _give_back(batch[place:], at=at + elapsed)
                break
            answer = _send(mailer, delivery, at=at + elapsed)
            sent_at = at + timedelta(seconds=monotonic() - begun)
            outcomes.append(Outcome(delivery=delivery, at=sent_at, answer=answer))
            if len(outcomes) >= RECORD_EVERY:
                _record(outcomes)
                outcomes = []
    _record(outcomes)
    return len(batch)


@transaction.atomic
def _claim(at: datetime) -> list[Delivery]:
    due = Delivery.objects.due(at).select_related("person").order_by("next_at")
    batch = list(due.select_for_update(skip_locked=True, no_key=True, of=("self",))[:BATCH])
    expired = {d.pk for d in batch if d.requested_at < at - LIFETIME}
    taken = [d for d in batch if d.pk not in expired]
    repeats = [d.pk for d in taken if d.state == State.SENDING]
    _rows(expired).update(state=State.SKIPPED, reason=Reason.EXPIRED)
    _rows(repeats).update(is_repeat=True)
    _rows(d.pk for d in taken).update(
        state=State.SENDING, next_at=at + LEASE, attempt_count=F("attempt_count") + 1
    )
    for delivery in taken:
        delivery.is_repeat = delivery.is_repeat or delivery.state == State.SENDING
        delivery.state, delivery.next_at = State.SENDING, at + LEASE
        delivery.attempt_count += 1
    return taken


def _rows(ids: Iterable[int]) -> DeliveryQuerySet:
    return Delivery.objects.filter(pk__in=list(ids))


def _send(mailer: mail.Mailer, delivery: Delivery, *, at: datetime) -> mail.Answer:
    try:
        message = _compose(delivery, at)
    except Exception as error:  # one message that cannot be written must not hold up the others
        log.exception("message could not be written", delivery_id=delivery.pk)
        return mail.Answer(ok=False, final=True, text=f"{type(error).__name__}: {error}"[:500])
    return mailer.send(message, to=delivery.address)


def _compose(delivery: Delivery, at: datetime) -> Message:
    person = delivery.person
    return texts.mail(
        texts.render(texts.facts_of(delivery), language=person.language, zone=person.zone),
        name=person.name,
        address=delivery.address,
        message_id=delivery.message_id,
        at=at,
        is_repeat=delivery.is_repeat,
    )


@transaction.atomic
def _record(outcomes: Sequence[Outcome]) -> None:
    """Keep every answer; a delivery whose lease another sender took meanwhile is left to it."""
    Attempt.objects.bulk_create(
        Attempt(
            delivery=outcome.delivery,
            at=outcome.at,
            ok=outcome.answer.ok,
            is_repeat=outcome.delivery.is_repeat,
            answer=outcome.answer.text,
        )
        for outcome in outcomes
    )
    ordered = sorted(outcomes, key=lambda outcome: outcome.delivery.pk)
    _sent([outcome for outcome in ordered if outcome.answer.ok])
    for outcome in ordered:
        if outcome.answer.ok:
            continue
        if outcome.answer.final or outcome.delivery.attempt_count >= MAX_ATTEMPTS:
            if _finish(outcome, state=State.FAILED):
                _move_on(outcome)
        else:
            wait = back_off(
                attempts=outcome.delivery.attempt_count, seed=str(outcome.delivery.message_id)
            )
            _finish(outcome, state=State.QUEUED, next_at=outcome.at + wait)
    _note_channels(outcomes)


def _sent(outcomes: Sequence[Outcome]) -> None:
    """One statement for all: a call to many people is the rule, a failure the exception."""
    if not outcomes:
        return
    table = Delivery._meta.db_table
    columns: list[Any] = [
        [outcome.delivery.pk for outcome in outcomes],
        [outcome.delivery.next_at for outcome in outcomes],
        [outcome.at for outcome in outcomes],
        [outcome.answer.text for outcome in outcomes],
    ]
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            UPDATE {table} AS d SET state = 'sent', sent_at = o.sent_at, answer = o.answer
            FROM unnest(%s::bigint[], %s::timestamptz[], %s::timestamptz[], %s::text[])
                 AS o (id, lease, sent_at, answer)
            WHERE d.id = o.id AND d.state = 'sending' AND d.next_at = o.lease
            """,  # noqa: S608 - the table's own name
            columns,
        )


def _finish(outcome: Outcome, **columns: object) -> bool:
    mine = Delivery.objects.filter(
        pk=outcome.delivery.pk, state=State.SENDING, next_at=outcome.delivery.next_at
    )
    return bool(mine.update(answer=outcome.answer.text, **columns))


def _move_on(outcome: Outcome) -> None:
    """A dead channel goes on to the next; after the last one, the apps above are told."""
    failed = outcome.delivery
    routes = routes_of([failed.person], mail_works=mail.configured())[failed.person_id]
    following = deliveries.next_channel(failed, routes, outcome.at)
    if following is not None:
        Delivery.objects.bulk_create([following], ignore_conflicts=True)
    elif failed.incident_number is not None:
        events.publish(
            kind="delivery_exhausted",
            person_id=failed.person_id,
            incident_number=failed.incident_number,
            step_key=failed.step_key,
        )


def _note_channels(outcomes: Sequence[Outcome]) -> None:
    people = {outcome.delivery.person_id for outcome in outcomes}
    own = {(c.person_id, c.slug): c.pk for c in Channel.objects.filter(person__in=people)}
    for outcome in outcomes:
        pk = own.get((outcome.delivery.person_id, outcome.delivery.channel))
        if pk is not None:
            when = "last_ok_at" if outcome.answer.ok else "last_failed_at"
            said = {when: outcome.at, "last_answer": outcome.answer.text}
            Channel.objects.filter(pk=pk).update(**said)


@transaction.atomic
def _give_back(rest: Sequence[Delivery], *, at: datetime) -> None:
    for delivery in rest:
        Delivery.objects.filter(
            pk=delivery.pk, state=State.SENDING, next_at=delivery.next_at
        ).update(state=State.QUEUED, next_at=at, attempt_count=delivery.attempt_count - 1)
