"""What adapters of label-based senders have in common."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from alerts.adapters.base import MalformedPayload, Reading, Signal, SourceSettings
from alerts.adapters.bodies import as_mapping
from alerts.adapters.instants import SKEW

MOST_ERRORS = 20
MAX_NAME = 300
MAX_FINGERPRINT = 128


def made_fingerprint(labels: Mapping[str, str], *, settings: SourceSettings, name: str = "") -> str:
    """Identity where the sender gives none: the sorted labels, less the volatile ones."""
    kept = sorted((k, v) for k, v in labels.items() if k not in settings.volatile_labels)
    text = json.dumps([name, kept], ensure_ascii=False)
    return "made:" + hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]


def fitting(fingerprint: str) -> str:
    """The sender's own fingerprint; hashed where it is longer than the column."""
    if len(fingerprint) <= MAX_FINGERPRINT:
        return fingerprint
    return "long:" + hashlib.sha256(fingerprint.encode("utf-8", "replace")).hexdigest()


def usable_start(
    start: datetime | None, *, at: datetime
) -> tuple[datetime | None, tuple[str, ...]]:
    """A start in the future cannot be used: ordered by it, nothing would ever be newer."""
    if start is not None and start > at + SKEW:
        return None, ("start_in_future",)
    return start, ()


def read_each(
    items: Sequence[object], read: Callable[[Mapping[str, Any]], Signal]
) -> tuple[list[Signal], list[str]]:
    """One bad item does not lose the others: it becomes a sentence with its number."""
    signals: list[Signal] = []
    errors: list[str] = []
    for number, item in enumerate(items):
        try:
            signals.append(read(object_of(item)))
        except MalformedPayload as problem:
            errors.append(f"item {number}: {problem}")
    if len(errors) > MOST_ERRORS:
        errors = [*errors[:MOST_ERRORS], f"and {len(errors) - MOST_ERRORS} more"]
    return signals, errors


def reading(
    items: object,
    read: Callable[[Mapping[str, Any]], Signal],
    *,
    truncated: object = 0,
    truncated_key: object = "",
) -> Reading:
    if not isinstance(items, list):
        raise MalformedPayload("no list of alerts")
    signals, errors = read_each(items, read)
    if errors and not signals:
        raise MalformedPayload("; ".join(errors))
    count = truncated if isinstance(truncated, int) and not isinstance(truncated, bool) else 0
    key = truncated_key if isinstance(truncated_key, str) else ""
    return Reading(
        signals=signals,
        errors=errors,
        truncated=min(max(count, 0), 1_000_000),
        truncated_key=hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()[:16],
    )


def object_of(payload: object) -> Mapping[str, Any]:
    if not isinstance(payload, Mapping):
        raise MalformedPayload("not an object")
    return as_mapping(payload)
