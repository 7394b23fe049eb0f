"""From pending receipts to alerts: claim, read, absorb, note what became of each."""

import uuid
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

import structlog
from django.db import InterfaceError, OperationalError, transaction

from alerts.adapters import ADAPTERS
from alerts.adapters.base import MalformedPayload, SourceSettings
from alerts.adapters.bodies import decode
from alerts.models import Source
from alerts.operations import batches, sql, tallies
from alerts.states import ReceiptState
from core import registry
from core.operations import live

log = structlog.get_logger(__name__)
BATCH = 500  # receipts
BATCH_BYTES = 8 * 1024 * 1024
LARGE = 4 * 1024 * 1024
MOST_ATTEMPTS = 3
# The one lock of a site under which alerts are told and correlated.
SITE_LOCK = 0x57_41_52_01

CLAIM = """
    SELECT id, source_id, kind, received_at, size, attempts FROM receipts
    WHERE state = 'pending' AND (kind = ANY(%b::text[])) = %s
    ORDER BY id LIMIT %s FOR NO KEY UPDATE SKIP LOCKED
"""
FINISH = """
    UPDATE receipts r SET state = u.state, reason = u.reason, parsed_at = %s,
        alert_count = u.alert_count, truncated_count = u.truncated,
        alert_ids = string_to_array(u.alert_ids, ',')::bigint[],
        incident_numbers = string_to_array(u.incidents, ',')::integer[]
    FROM unnest(%b::uuid[], %b::text[], %b::text[], %b::integer[], %b::integer[], %b::text[],
        %b::text[]) AS u(id, state, reason, alert_count, truncated, alert_ids, incidents)
    WHERE r.id = u.id
"""
NOTE_SOURCES = """
    UPDATE alerts_source s SET last_receipt_at = greatest(s.last_receipt_at, u.at),
        last_receipt_id = u.receipt,
        last_error = CASE WHEN u.error = '' THEN s.last_error ELSE u.error END,
        last_error_at = CASE WHEN u.error = '' THEN s.last_error_at ELSE u.at END
    FROM unnest(%b::bigint[], %b::timestamptz[], %b::uuid[], %b::text[])
        AS u(id, at, receipt, error)
    WHERE s.id = u.id
"""


@dataclass(slots=True)
class Claimed:
    """A receipt on its way, and at last what became of it."""

    id: uuid.UUID
    source_id: int
    kind: str
    received_at: datetime
    size: int
    attempts: int
    body: bytes = b""
    state: str = ReceiptState.PENDING
    reason: str = ""
    heard: batches.Heard | None = None
    alerts: list[int] = field(default_factory=list)
    incidents: list[int] = field(default_factory=list)


def parse_pending(*, at: datetime, wait: bool = True) -> int:
    """
    Parse one batch of what has arrived; returns how many receipts were finished.

    One transaction: a worker that dies leaves everything pending. A body that breaks
    the batch is found by parsing each alone, and fails alone. `wait` False: gives way
    to whoever is parsing already.
    """
    if not _spend_attempt_on_large(at=at):
        return 0
    return _parse_alerts(at=at, wait=wait) + _parse_reports(at=at)


def parse_all(*, at: datetime, wait: bool = True) -> int:
    """Until nothing is left that this process can take."""
    total = 0
    while done := parse_pending(at=at, wait=wait):
        total += done
    return total


@transaction.atomic
def _parse_alerts(*, at: datetime, wait: bool) -> int:
    if not _lock(wait=wait):
        return 0
    claimed = _claim(alerts=True)
    if not claimed:
        return 0
    sources = Source.objects.in_bulk({one.source_id for one in claimed})
    for one in claimed:
        _read(one, sources.get(one.source_id))
    heard = [one for one in claimed if one.heard]
    if not _absorb(heard, at=at) and len(heard) > 1:
        for one in heard:
            _absorb([one], at=at)
    _finish(claimed, at=at)
    return len(claimed)


@transaction.atomic
def _parse_reports(*, at: datetime) -> int:
    """Bodies that another app reads, each in a savepoint; without the lock of the alerts."""
    claimed = _claim(alerts=False)
    for one in claimed:
        _hand_over(one)
    if claimed:
        _finish(claimed, at=at)
    return len(claimed)


def _lock(*, wait: bool) -> bool:
    if wait:
        sql.run("SELECT pg_advisory_xact_lock(%s)", SITE_LOCK)
        return True
    return bool(sql.run("SELECT pg_try_advisory_xact_lock(%s)", SITE_LOCK)[0][0])


def _spend_attempt_on_large(*, at: datetime) -> bool:
    """
    A body so large that it may kill the worker is counted before it is touched.

    At the fourth time it fails for good, so that it cannot stop what waits behind it.
    """
    rows = sql.run(
        "SELECT id, size, attempts FROM receipts WHERE state = 'pending' ORDER BY id LIMIT 1"
    )
    if rows and rows[0][1] > LARGE:
        if rows[0][2] >= MOST_ATTEMPTS:
            reason = f"parsing it ended the worker {MOST_ATTEMPTS} times"
            sql.run(
                "UPDATE receipts SET state = 'failed', reason = %s, parsed_at = %s"
                " WHERE id = %s AND state = 'pending'",
                reason,
                at,
                rows[0][0],
            )
        else:
            sql.run("UPDATE receipts SET attempts = attempts + 1 WHERE id = %s", rows[0][0])
    return bool(rows)


def _claim(*, alerts: bool) -> list[Claimed]:
    """The oldest that fit into one batch; a large body travels alone."""
    waiting = [Claimed(*row) for row in sql.run(CLAIM, list(ADAPTERS), alerts, BATCH)]
    taken: list[Claimed] = []
    total = 0
    for one in waiting:
        if taken and total + one.size > BATCH_BYTES:
            break
        taken.append(one)
        total += one.size
    bodies = dict(
        sql.run("SELECT id, body FROM receipts WHERE id = ANY(%b::uuid[])", [t.id for t in taken])
    )
    for one in taken:
        one.body = bodies[one.id]
    return taken


def _read(one: Claimed, source: Source | None) -> None:
    """Bytes to signals, or to a reason. Nothing is written yet."""
    if source is None:
        one.state, one.reason = ReceiptState.FAILED, "its source was removed"
        return
    try:
        settings = SourceSettings(
            default_severity=source.default_severity,
            volatile_labels=frozenset(source.volatile_labels),
        )
        payload = decode(one.body)
        reading = ADAPTERS[one.kind](payload, settings=settings, at=one.received_at)
    except MalformedPayload as problem:
        one.state, one.reason = ReceiptState.FAILED, str(problem)[:2000]
        return
    except Exception as problem:
        log.exception("adapter failed", receipt=str(one.id))
        one.state, one.reason = ReceiptState.FAILED, _our_fault(problem)
        return
    one.heard = batches.Heard(source=source, received_at=one.received_at, reading=reading)
    one.state = ReceiptState.PARTLY_PARSED if reading.errors else ReceiptState.PARSED
    one.reason = "; ".join(reading.errors)[:2000]


def _hand_over(one: Claimed) -> None:
    """To the app that registered a parser for this kind of hook."""
    parser = registry.receipt_parsers.get(one.kind)
    if parser is None:
        one.state = ReceiptState.FAILED
        one.reason = f"nothing here reads bodies of kind {one.kind}"
        return
    try:
        payload = decode(one.body)
        with transaction.atomic():
            outcome = parser(
                payload, source_id=one.source_id, receipt_id=one.id, at=one.received_at
            )
    except MalformedPayload as problem:
        one.state, one.reason = ReceiptState.FAILED, str(problem)[:2000]
        return
    except (OperationalError, InterfaceError):
        raise
    except Exception as problem:
        log.exception("receipt parser failed", receipt=str(one.id), kind=one.kind)
        one.state, one.reason = ReceiptState.FAILED, _our_fault(problem)
        return
    one.state, one.reason = outcome.state, outcome.reason[:2000]
    one.alerts, one.incidents = outcome.alerts, outcome.incidents


def _absorb(heard: Sequence[Claimed], *, at: datetime) -> bool:
    """Whether these went in, in a savepoint of their own; the reason on them if a single did not."""
    if not heard:
        return True
    try:
        with transaction.atomic():
            bodies = [one.heard for one in heard if one.heard]
            absorbed = batches.absorb(bodies, at=at)
            tallies.add(bodies, absorbed.fresh)
    except (OperationalError, InterfaceError):
        raise
    except Exception as problem:
        log.exception("batch failed", receipts=[str(one.id) for one in heard[:20]])
        if len(heard) == 1:
            heard[0].state, heard[0].reason = ReceiptState.FAILED, _our_fault(problem)
            heard[0].heard = None
        return False
    for one, ids in zip(heard, absorbed.alerts, strict=True):
        one.alerts = ids
    return True


def _our_fault(problem: Exception) -> str:
    return f"not the sender's fault: {type(problem).__name__}: {problem}".replace("\0", "")[:2000]


def _finish(claimed: Sequence[Claimed], *, at: datetime) -> None:
    rows = [
        (
            one.id,
            str(one.state),
            one.reason.replace("\0", ""),
            len(one.heard.reading.signals) if one.heard else len(one.alerts),
            one.heard.reading.truncated if one.heard else 0,
            ",".join(str(pk) for pk in one.alerts),
            ",".join(str(number) for number in one.incidents),
        )
        for one in claimed
    ]
    sql.run(FINISH, at, *sql.columns(rows, 7))
    _note_sources(claimed)
    live.announce("receipts", "alerts", "board")


def _note_sources(claimed: Sequence[Claimed]) -> None:
    last: dict[int, Claimed] = {}
    errors: dict[int, str] = defaultdict(str)
    for one in claimed:
        last[one.source_id] = one
        if one.state in (ReceiptState.FAILED, ReceiptState.PARTLY_PARSED):
            errors[one.source_id] = one.reason
    rows = [(pk, one.received_at, one.id, errors[pk]) for pk, one in last.items()]
    sql.run(NOTE_SOURCES, *sql.columns(rows, 4))
