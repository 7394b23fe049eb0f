"""Celery's way in. A message is only a nudge: pending receipts are rows that the sweep finds."""

import threading
import time
from datetime import datetime
from typing import Any

import redis
import structlog
from celery import shared_task
from django.db import close_old_connections, connection
from django.utils import timezone
from kombu.exceptions import OperationalError

from alerts.operations import intake
from alerts.queries import brain
from core import live

log = structlog.get_logger(__name__)
NUDGED = "warroom:intake:nudged"
# How long a nudge may be on its way before another one is sent beside it.
NUDGE_LIVES_MS = 3000
PAUSE_WITHOUT_BROKER_S = 2.0
NUDGE_EVERY_S = 0.01
_away_until = [0.0]
_stored = threading.Event()
_starting = threading.Lock()
_nudger: list[threading.Thread] = []
_draining = threading.Lock()


@shared_task(ignore_result=True)
def parse_receipts(**unknown: Any) -> None:
    """Takes what has arrived. Whoever posts after the mark is gone sends a nudge of their own."""
    _forget_nudge()
    intake.parse_all(at=timezone.now())


def nudge() -> None:
    """Say that a receipt was committed: costs the request nothing, one message tells of many."""
    if not _nudger:
        with _starting:
            if not _nudger:
                _nudger.append(threading.Thread(target=_send_nudges, name="nudger", daemon=True))
                _nudger[0].start()
    _stored.set()


def _send_nudges() -> None:
    while _stored.wait():
        _stored.clear()
        _send_nudge()
        time.sleep(NUDGE_EVERY_S)


def _send_nudge() -> None:
    """One message for all the posts that arrive until it is taken; without a broker, none."""
    if time.monotonic() < _away_until[0]:
        return
    try:
        if live.bus().set(NUDGED, "1", nx=True, px=NUDGE_LIVES_MS):
            parse_receipts.delay()
    except (redis.RedisError, OperationalError, OSError):
        _away_until[0] = time.monotonic() + PAUSE_WITHOUT_BROKER_S
        log.debug("broker away, the sweep will find the receipt")


def _forget_nudge() -> None:
    try:
        live.bus().delete(NUDGED)
    except redis.RedisError:
        log.debug("broker away")


def drain(*, at: datetime) -> int:
    """
    The sweep's way: parse in a thread of this process, so that clocks need not wait.

    Gives way to a worker that is parsing; needs no broker.
    """
    if not _draining.acquire(blocking=False):
        return 0
    threading.Thread(target=_drain, name="drain", daemon=True).start()
    return 1


def _drain() -> None:
    try:
        intake.parse_all(at=timezone.now(), wait=False)
    except Exception:
        log.exception("receipts could not be parsed")
    finally:
        connection.close()
        _draining.release()


def warm() -> None:
    """Read topology, rules and codes into memory, so that the first storm does not wait for it."""
    close_old_connections()
    try:
        brain.current()
    finally:
        connection.close()
