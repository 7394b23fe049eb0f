"""
The sweep: a thread in every worker that once a second does whatever is due.

It needs PostgreSQL alone: no beat, no queue, no broker. Any number may run and none is special.
"""

import threading
import time
from datetime import timedelta
from typing import Any

import structlog
from celery import bootsteps
from django.db import close_old_connections, connections
from django.utils import timezone

from core import registry
from core.models import Heartbeat

log = structlog.get_logger(__name__)
PERIOD_S = 1.0


class Sweep(bootsteps.StartStopStep):
    def __init__(self, parent: Any, **options: Any) -> None:
        super().__init__(parent, **options)
        self._over = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, parent: Any) -> None:
        if self._thread is None or not self._thread.is_alive():
            self._over.clear()
            self._thread = threading.Thread(target=self._run, name="sweep", daemon=True)
            self._thread.start()

    def stop(self, parent: Any) -> None:
        """Only a worker that ends stops its sweep: a lost broker restarts the consumer, not this."""

    def terminate(self, parent: Any) -> None:
        self._over.set()

    def _run(self) -> None:
        while not self._over.is_set():
            begun = time.monotonic()
            run_once()
            self._over.wait(max(0.05, PERIOD_S - (time.monotonic() - begun)))
        connections.close_all()


def run_once() -> None:
    """Every registered sweep, each on its own: one that fails does not stop the others."""
    close_old_connections()
    for name, sweep in registry.sweeps.items():
        try:
            sweep(at=timezone.now())
        except Exception:
            log.exception("sweep failed", sweep=name)
            connections["default"].close()
    _note()


def _note() -> None:
    """Say that a sweep ran: one row, written by whoever comes half a period after the last."""
    now = timezone.now()
    try:
        recent = now - timedelta(seconds=PERIOD_S / 2)
        if not Heartbeat.objects.filter(name="sweep", at__lt=recent).update(at=now):
            Heartbeat.objects.get_or_create(name="sweep", defaults={"at": now})
    except Exception:
        log.exception("sweep could not be noted")
        connections["default"].close()
