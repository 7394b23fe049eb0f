"""Receipts as their senders and people may see them."""

import uuid
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import connection
from django.utils import timezone

from alerts.models import Alert, Receipt, ReceiptQuerySet, Source
from alerts.states import ReceiptState
from people.models import User
from people.queries import visible

NUDGE_TAKES_S = 1.0


def visible_receipts(user: User) -> ReceiptQuerySet:
    """
    Those of the sources that `user` may see.

    A body may speak of every region that its source does: who sees some regions only
    sees bodies of sources that belong to one of these.
    """
    sources = visible(Source.objects.all(), user)
    if user.regions:
        sources = sources.filter(region__in=user.regions)
    return Receipt.objects.filter(source_id__in=sources.values("id")).without_body()


def for_key(receipt_id: uuid.UUID, *, key_hash: str) -> dict[str, Any] | None:
    """The receipt, if this key belongs to its source."""
    receipt = Receipt.objects.filter(id=receipt_id).without_body().first()
    if receipt is None:
        return None
    source = Source.objects.filter(pk=receipt.source_id, key_hash=key_hash).first()
    return as_json(receipt, source.name) if source else None


def for_user(receipt_id: uuid.UUID, *, user: User) -> dict[str, Any] | None:
    receipt = visible_receipts(user).filter(id=receipt_id).first()
    if receipt is None:
        return None
    name = Source.objects.filter(pk=receipt.source_id).values_list("name", flat=True).first()
    return as_json(receipt, name or "")


def as_json(receipt: Receipt, source: str) -> dict[str, Any]:
    return {
        "id": str(receipt.id),
        "source": source,
        "kind": receipt.kind,
        "received_at": receipt.received_at.isoformat(),
        "size": receipt.size,
        "state": receipt.state,
        "reason": receipt.reason,
        "alerts": list(receipt.alert_ids),
        "incidents": incidents_of([receipt])[receipt.id],
    }


def incidents_of(receipts: Sequence[Receipt]) -> dict[uuid.UUID, list[int]]:
    """The incidents that the alerts of each receipt belong to by now: one query for all."""
    wanted = {pk for receipt in receipts for pk in receipt.alert_ids}
    numbers: dict[int, Any] = dict(
        Alert.objects.filter(pk__in=wanted, group__incident_number__isnull=False).values_list(
            "pk", "group__incident_number"
        )
    )
    return {
        receipt.id: sorted(
            {*receipt.incident_numbers, *(numbers[pk] for pk in receipt.alert_ids if pk in numbers)}
        )
        for receipt in receipts
    }


def source_names() -> dict[int, str]:
    return dict(Source.objects.values_list("id", "name"))


def body_text(receipt: Receipt, *, most: int = 200_000) -> tuple[str, bool]:
    """The stored bytes for display, and whether the end was left out."""
    raw = bytes(receipt.body)
    return raw[:most].decode("utf-8", "replace").replace("\0", "�"), len(raw) > most


def unparsed() -> tuple[int, float]:
    """How many receipts wait, and for how many seconds the oldest has."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*), coalesce(extract(epoch FROM clock_timestamp() - min(received_at)), 0)"
            " FROM receipts WHERE state = %s",
            [ReceiptState.PENDING],
        )
        number, age = cursor.fetchone()
    return int(number), max(0.0, float(age))


def overdue(*, at: datetime) -> bool:
    """Whether something waits that a nudge should have woken a worker for by now."""
    since = at - timedelta(seconds=NUDGE_TAKES_S)
    return (
        Receipt.objects.filter(state=ReceiptState.PENDING, received_at__lt=since)
        .order_by("id")
        .values("id")[:1]
        .exists()
    )


def waiting_failures(user: User) -> int:
    """Failed bodies of the last day that nobody played again."""
    failed = visible_receipts(user).filter(state=ReceiptState.FAILED)
    return failed.filter(received_at__gte=timezone.now() - timedelta(days=1))[:100].count()
