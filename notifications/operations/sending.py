"""Sending what is queued: claimed in a short transaction, sent outside any, recorded in another."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import EmailMessage
from time import monotonic

import structlog
from django.db import transaction

from core.operations import events
from notifications.adapters import mail, texts
from notifications.models import Attempt, Channel, Delivery
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
    expired = [d for d in batch if d.requested_at < at - LIFETIME]
    taken = [d for d in batch if d not in expired]
    for delivery in taken:
        delivery.is_repeat = delivery.is_repeat or delivery.state == State.SENDING
        delivery.state, delivery.next_at = State.SENDING, at + LEASE
        delivery.attempt_count += 1
    for delivery in expired:
        delivery.state, delivery.reason = State.SKIPPED, Reason.EXPIRED
    fields = ["state", "next_at", "attempt_count", "is_repeat", "reason"]
    Delivery.objects.bulk_update(batch, fields)
    return taken


def _send(mailer: mail.Mailer, delivery: Delivery, *, at: datetime) -> mail.Answer:
    try:
        message = _compose(delivery, at)
    except Exception as error:  # one message that cannot be written must not hold up the others
        log.exception("message could not be written", delivery_id=delivery.pk)
        return mail.Answer(ok=False, final=True, text=f"{type(error).__name__}: {error}"[:500])
    return mailer.send(message, to=delivery.address)


def _compose(delivery: Delivery, at: datetime) -> EmailMessage:
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
    for outcome in sorted(outcomes, key=lambda outcome: outcome.delivery.pk):
        if outcome.answer.ok:
            _finish(outcome, state=State.SENT, sent_at=outcome.at)
        elif outcome.answer.final or outcome.delivery.attempt_count >= MAX_ATTEMPTS:
            if _finish(outcome, state=State.FAILED):
                _move_on(outcome)
        else:
            wait = back_off(
                attempts=outcome.delivery.attempt_count, seed=str(outcome.delivery.message_id)
            )
            _finish(outcome, state=State.QUEUED, next_at=outcome.at + wait)
    _note_channels(outcomes)


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
    for outcome in outcomes:
        own = Channel.objects.filter(
            person_id=outcome.delivery.person_id, slug=outcome.delivery.channel
        )
        if outcome.answer.ok:
            own.update(last_ok_at=outcome.at, last_answer=outcome.answer.text)
        else:
            own.update(last_failed_at=outcome.at, last_answer=outcome.answer.text)


@transaction.atomic
def _give_back(rest: Sequence[Delivery], *, at: datetime) -> None:
    for delivery in rest:
        Delivery.objects.filter(
            pk=delivery.pk, state=State.SENDING, next_at=delivery.next_at
        ).update(state=State.QUEUED, next_at=at, attempt_count=delivery.attempt_count - 1)
