"""
Celery's way in, and the sweep's.

Sending waits for a mail server, so the sweep never sends itself: it starts a sender, a thread of
its process, which works until nothing is due. Both need PostgreSQL alone.
"""

import threading
from datetime import datetime
from typing import Any

import structlog
from celery import shared_task
from django.db import connections
from django.utils import timezone

from notifications.models import Delivery
from notifications.operations import sending

log = structlog.get_logger(__name__)
SENDERS = 2  # threads a process; each has a connection to the mail server

_slots = threading.BoundedSemaphore(SENDERS)


@shared_task
def deliver(**unknown: Any) -> None:
    """A nudge: something was queued."""
    _drain()


def start_senders(*, at: datetime) -> int:
    """Start a sender if something is due and a slot is free; returns how many were started."""
    if not Delivery.objects.due(at).exists() or not _slots.acquire(blocking=False):
        return 0
    threading.Thread(target=_run, name="sender", daemon=True).start()
    return 1


def _run() -> None:
    try:
        _drain()
    except Exception:
        log.exception("sender failed")
    finally:
        connections.close_all()
        _slots.release()


def _drain() -> None:
    while sending.send_due(at=timezone.now()):
        pass
