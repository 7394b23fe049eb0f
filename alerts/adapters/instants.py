"""Times as senders write them: ISO 8601 in its many forms, Unix seconds or milliseconds."""

import math
from datetime import UTC, datetime, timedelta

# Go's zero time, and whatever lies before anything we could have been told of.
EARLIEST = datetime(2000, 1, 1, tzinfo=UTC)
LATEST = datetime(2100, 1, 1, tzinfo=UTC)
MILLISECONDS_FROM = 10_000_000_000
# A sender's clock may run ahead by this much; beyond it, its time cannot be used.
SKEW = timedelta(minutes=2)


def instant(value: object) -> datetime | None:
    """`value` as an aware UTC instant; None for zero, absurd, missing or unreadable ones."""
    moment = _from_text(value) if isinstance(value, str) else _from_number(value)
    if moment is None or not EARLIEST <= moment <= LATEST:
        return None
    return moment


def _from_text(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return _from_number(text)
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        return None


def _from_number(value: object) -> datetime | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        seconds = float(value)
        if not math.isfinite(seconds):
            return None
        seconds = seconds / 1000 if abs(seconds) >= MILLISECONDS_FROM else seconds
        return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None
