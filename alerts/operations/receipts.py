"""Store a body as it came; play one again."""

import uuid
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from alerts.models import Receipt
from alerts.operations import sql
from alerts.states import ReceiptState
from core.errors import NotFound, Refused
from core.operations import changes, live
from people.models import User


def store(*, source_id: int, kind: str, address: str, body: bytes, at: datetime) -> uuid.UUID:
    """One INSERT and nothing else; it is committed when this returns, outside of a transaction."""
    rows = sql.run(
        "INSERT INTO receipts (source_id, kind, address, size, body, received_at)"
        " VALUES (%s, %s, %s, %s, %b, %s) RETURNING id",
        source_id,
        kind,
        address[:64],
        len(body),
        body,
        at,
    )
    stored: uuid.UUID = rows[0][0]
    return stored


@transaction.atomic
def replay(*, receipt_id: uuid.UUID, by: User | None, at: datetime) -> Receipt:
    """
    Parse the stored body once more; what it says counts once, however often it is played.

    :raises Refused: while it still waits to be parsed.
    """
    receipt = Receipt.objects.select_for_update().filter(id=receipt_id).first()
    if receipt is None:
        raise NotFound(_("There is no such receipt."))
    if receipt.state == ReceiptState.PENDING:
        raise Refused(_("This receipt is waiting to be parsed already."))
    before = receipt.state
    receipt.state, receipt.reason, receipt.attempts = ReceiptState.PENDING, "", 0
    receipt.save(update_fields=["state", "reason", "attempts"])
    changes.record(
        actor=by,
        verb="receipt.replay",
        target=f"receipt:{receipt.id}",
        at=at,
        before={"state": before},
        after={"state": str(receipt.state)},
    )
    live.announce("receipts")
    return receipt
