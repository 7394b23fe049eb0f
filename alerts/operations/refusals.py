"""Count the bodies that were not taken: who sent them, and how often."""

from datetime import datetime

from alerts.operations import sql


def count(*, address: str, kind: str, status: int, source_id: int | None, at: datetime) -> None:
    sql.run(
        "INSERT INTO alerts_refusal (address, kind, status, source_id, count, first_at, last_at)"
        " VALUES (%s, %s, %s, %s, 1, %s, %s)"
        " ON CONFLICT (address, status, kind, source_id)"
        " DO UPDATE SET count = alerts_refusal.count + 1, last_at = excluded.last_at",
        address[:64],
        kind[:40],
        status,
        source_id,
        at,
        at,
    )
