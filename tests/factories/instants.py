from datetime import UTC, datetime

NINE_OCLOCK = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
