"""Celery's way in. A message is only a nudge: every kind of work has rows that the sweep finds."""

from datetime import timedelta
from typing import Any

from celery import shared_task
from django.utils import timezone

from core.models import Event, IdempotencyKey


@shared_task
def dispatch_events(**unknown: Any) -> None:
    from core.operations import events  # noqa: PLC0415  (operations.events nudges this task)

    events.dispatch_due(at=timezone.now())


@shared_task
def tidy(**unknown: Any) -> None:
    """Dispatched events live a week, idempotency keys 24 h (contract)."""
    now = timezone.now()
    Event.objects.filter(dispatched_at__lt=now - timedelta(days=7)).delete()
    IdempotencyKey.objects.filter(created_at__lt=now - timedelta(hours=24)).delete()
