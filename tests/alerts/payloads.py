"""Bodies as Alertmanager sends them, and the shortest way to have one parsed."""

import json
from datetime import datetime, timedelta
from typing import Any

from alerts.models import Alert, Receipt, Source
from alerts.operations import intake, receipts
from tests.factories import NINE_OCLOCK

ZERO = "0001-01-01T00:00:00Z"


def item(
    name: str = "NodeDown",
    *,
    start: datetime = NINE_OCLOCK,
    end: datetime | None = None,
    **more: Any,
) -> dict[str, Any]:
    """One alert of a body; `end` makes it a resolve."""
    labels = {"alertname": name, "severity": "critical", **more.pop("labels", {})}
    return {
        "status": "resolved" if end else "firing",
        "labels": labels,
        "annotations": {"summary": f"{name} happened"},
        "startsAt": start.isoformat(),
        "endsAt": end.isoformat() if end else ZERO,
        "generatorURL": "http://prometheus.example/graph",
        "fingerprint": name.lower(),
        **more,
    }


def body(*items: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"version": "4", "groupKey": "{}", "truncatedAlerts": 0, "alerts": [*items], **more}


def keep(
    source: Source, what: Any, *, at: datetime = NINE_OCLOCK + timedelta(minutes=1)
) -> Receipt:
    """Store a body as the hook does, unparsed."""
    raw = what if isinstance(what, bytes) else json.dumps(what).encode()
    pk = receipts.store(source_id=source.pk, kind=source.kind, address="127.0.0.1", body=raw, at=at)
    return Receipt.objects.get(id=pk)


def take(
    source: Source, what: Any, *, at: datetime = NINE_OCLOCK + timedelta(minutes=1)
) -> Receipt:
    """Store a body and parse everything that waits."""
    receipt = keep(source, what, at=at)
    intake.parse_all(at=at)
    receipt.refresh_from_db()
    return receipt


def only_alert() -> Alert:
    return Alert.objects.get()
