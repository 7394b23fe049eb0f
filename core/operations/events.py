"""The outbox: an event is a row in the transaction of the change it tells of."""

import json
from collections.abc import Iterator
from datetime import datetime, timedelta

import structlog
from django.db import connection, transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from core import registry, tasks
from core.models import Event
from core.operations import sql

log = structlog.get_logger(__name__)
BATCH = 100
MAX_BACK_OFF = timedelta(minutes=5)
WRITE = """
    INSERT INTO core_event (kind, ids, created_at, due_at, attempts, last_error)
    SELECT %b, u.ids::jsonb, %b, %b, 0, '' FROM unnest(%b::text[]) WITH ORDINALITY AS u(ids, place)
    ORDER BY u.place
"""


def publish(*, kind: str, **ids: int | str) -> None:
    """
    Record the event, and nudge the dispatcher once the transaction commits.

    The nudge may be lost; the sweep finds the row within two seconds.
    """
    now = timezone.now()
    Event.objects.create(kind=kind, ids=ids, created_at=now, due_at=now)
    _nudge_after_commit()


def publish_many(*, kind: str, ids: list[dict[str, int | str]]) -> None:
    """One statement for any number; in their order."""
    now = timezone.now()
    sql.run(WRITE, kind, now, now, [json.dumps(one) for one in ids])
    _nudge_after_commit()


def _nudge_after_commit() -> None:
    if not any(entry[1] is nudge for entry in connection.run_on_commit):
        transaction.on_commit(nudge, robust=True)


def nudge() -> None:
    try:
        tasks.dispatch_events.delay()
    except OperationalError:
        log.debug("broker away, the sweep will dispatch")


def dispatch_due(*, at: datetime) -> int:
    """Tell the handlers of every undispatched event; returns how many events were dispatched."""
    return sum(1 for _ in _each_due(at))


def _each_due(at: datetime) -> Iterator[int]:
    """
    One transaction an event, so that a handler that fails holds up only its own event.

    The batch is read without a lock, each row is then claimed under one that others skip.
    """
    while True:
        due = list(
            Event.objects.filter(dispatched_at__isnull=True, due_at__lte=at)
            .order_by("due_at", "id")
            .values_list("id", flat=True)[:BATCH]
        )
        done = [pk for pk in due if _dispatch(pk, at)]
        yield from done
        if len(due) < BATCH or not done:
            return


def _dispatch(pk: int, at: datetime) -> bool:
    try:
        with transaction.atomic():
            event = (
                Event.objects.select_for_update(skip_locked=True)
                .filter(pk=pk, dispatched_at__isnull=True)
                .first()
            )
            if event is None:
                return False
            for handler in registry.handlers_of(event.kind):
                handler(**event.ids)
            event.dispatched_at = at
            event.save(update_fields=["dispatched_at"])
    except Exception as error:
        log.exception("event handler failed", event_id=pk)
        _postpone(pk, at, error)
        return False
    return True


def _postpone(pk: int, at: datetime, error: Exception) -> None:
    event = Event.objects.get(pk=pk)
    event.attempts = min(event.attempts + 1, 1000)
    event.due_at = at + min(timedelta(seconds=2 ** min(event.attempts, 9)), MAX_BACK_OFF)
    event.last_error = f"{type(error).__name__}: {error}"[:2000]
    event.save(update_fields=["attempts", "due_at", "last_error"])
