"""Episodes, read and written as sets."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from alerts.correlation import Fact
from alerts.operations import sql
from alerts.operations.histories import SpanChange
from alerts.queries.working_set import Member, WorkingSet

FIND = """
    SELECT u.n, e.id, e.event_at, e.group_id, e.role, e.received_count
    FROM unnest(%b::bigint[], %b::timestamptz[]) WITH ORDINALITY AS u(alert, start, n)
    JOIN alert_episodes e ON e.alert_id = u.alert AND e.starts_at = u.start
"""
IDS = """
    SELECT nextval(pg_get_serial_sequence('alert_episodes', 'id'))
    FROM generate_series(1, %s::integer)
"""
WRITE = """
    INSERT INTO alert_episodes (id, event_at, alert_id, number, starts_at, ends_at, first_seen_at,
        last_seen_at, received_count, group_id, severity, role, component_path, component_kind,
        job_id, failure_class, event_class, fault_code, why)
    SELECT id, event_at, alert_id, number, starts_at, ends_at, seen_at, seen_at, received, group_id,
        severity, role, component_path, component_kind, job_id, failure_class, event_class,
        fault_code, why::jsonb
    FROM unnest(%b::bigint[], %b::timestamptz[], %b::bigint[], %b::integer[], %b::timestamptz[],
        %b::timestamptz[], %b::timestamptz[], %b::bigint[], %b::bigint[], %b::text[], %b::text[],
        %b::text[], %b::text[], %b::text[], %b::text[], %b::text[], %b::text[], %b::text[])
        AS u(id, event_at, alert_id, number, starts_at, ends_at, seen_at, received, group_id,
             severity, role, component_path, component_kind, job_id, failure_class, event_class,
             fault_code, why)
    ON CONFLICT (id, event_at) DO UPDATE SET
        number = excluded.number, starts_at = excluded.starts_at, ends_at = excluded.ends_at,
        last_seen_at = greatest(alert_episodes.last_seen_at, excluded.last_seen_at),
        received_count = excluded.received_count, group_id = excluded.group_id,
        severity = excluded.severity, role = excluded.role,
        component_path = excluded.component_path, component_kind = excluded.component_kind,
        job_id = excluded.job_id, failure_class = excluded.failure_class,
        event_class = excluded.event_class, fault_code = excluded.fault_code, why = excluded.why
"""
REASSIGN = """
    UPDATE alert_episodes e SET group_id = u.group_id, role = u.role
    FROM unnest(%b::bigint[], %b::timestamptz[], %b::bigint[], %b::text[])
        AS u(id, event_at, group_id, role)
    WHERE e.id = u.id AND e.event_at = u.event_at
"""
REASSIGN_ALERTS = """
    UPDATE alerts a SET group_id = u.group_id, role = u.role
    FROM unnest(%b::bigint[], %b::timestamptz[], %b::bigint[], %b::text[])
        AS u(alert_id, starts_at, group_id, role)
    WHERE a.id = u.alert_id AND a.starts_at = u.starts_at
"""


@dataclass(frozen=True, slots=True)
class Finding:
    """The columns that say what an alert, or an episode of it, means."""

    component_path: str
    component_kind: str
    job_id: str
    failure_class: str
    event_class: str
    fault_code: str
    why: str

    @classmethod
    def of(cls, fact: Fact) -> "Finding":
        place, signal = fact.place, fact.signal
        return cls(
            component_path=place.path[:300],
            component_kind=place.kind[:20],
            job_id=place.job_id[:200],
            failure_class=signal.failure_class[:10],
            event_class=signal.event_class[:4],
            fault_code=signal.fault_code[:100],
            why=json.dumps(_why(fact), ensure_ascii=False),
        )

    def row(self) -> tuple[str, ...]:
        return (
            self.component_path,
            self.component_kind,
            self.job_id,
            self.failure_class,
            self.event_class,
            self.fault_code,
            self.why,
        )


def _why(fact: Fact) -> list[dict[str, Any]]:
    """Codes and parameters; the page renders them in the reader's language."""
    reasons: list[dict[str, Any]] = []
    if fact.signal.rule:
        reasons.append({"code": "rule", "params": {"rule": fact.signal.rule}})
    else:
        reasons.append({"code": "no_rule", "params": {}})
    if fact.place.path:
        code = "component" if fact.place.known else "component_unknown"
        reasons.append({"code": code, "params": {"path": fact.place.path}})
    if fact.signal.handling_level:
        level = {"level": fact.signal.handling_level, "fault_code": fact.signal.fault_code}
        reasons.append({"code": "handling_level", "params": level})
    return reasons


def members_of(changes: Sequence[SpanChange]) -> list[Member]:
    """The changed episodes, stored ones with their ids, new ones with fresh ids."""
    known = _find([change for change in changes if change.was is not None])
    fresh = iter(sql.run(IDS, sum(1 for c in changes if _key(c) not in known)))
    return [_member(change, known, fresh) for change in changes]


def _key(change: SpanChange) -> tuple[int, datetime | None]:
    return change.history.id or 0, change.was


def _find(stored: Sequence[SpanChange]) -> dict[tuple[int, datetime | None], tuple[Any, ...]]:
    if not stored:
        return {}
    alerts, starts = sql.columns([_key(change) for change in stored], 2)
    return {_key(stored[row[0] - 1]): row[1:] for row in sql.run(FIND, alerts, starts)}


def _member(
    change: SpanChange,
    known: dict[tuple[int, datetime | None], tuple[Any, ...]],
    fresh: Any,
) -> Member:
    found = known.get(_key(change))
    pk, event_at, group_id, role, received = found or (
        next(fresh)[0],
        change.event_at,
        None,
        "unknown",
        0,
    )
    return Member(
        id=pk,
        alert_id=change.history.id or 0,
        starts_at=change.span.start,
        ends_at=change.span.end,
        event_at=event_at,
        group_id=group_id,
        role=role,
        severity=change.history.severity,
        received_count=received + change.received,
    )


def write(changes: Sequence[SpanChange], members: Sequence[Member], working: WorkingSet) -> None:
    rows = [
        (
            member.id,
            member.event_at,
            member.alert_id,
            change.number,
            member.starts_at,
            member.ends_at,
            change.seen_at,
            member.received_count,
            member.group_id,
            member.severity,
            member.role,
            *Finding.of(working.facts[member.id]).row(),
        )
        for change, member in zip(changes, members, strict=True)
    ]
    if rows:
        sql.run(WRITE, *sql.columns(rows, 18))


def reassign(moved: Sequence[Member], *, written: set[int]) -> None:
    """Episodes that correlation put elsewhere, or gave another role, and their alerts."""
    others = [member for member in moved if member.id not in written]
    if not others:
        return
    sql.run(REASSIGN, *sql.columns([(m.id, m.event_at, m.group_id, m.role) for m in others], 4))
    sql.run(
        REASSIGN_ALERTS,
        *sql.columns([(m.alert_id, m.starts_at, m.group_id, m.role) for m in others], 4),
    )
