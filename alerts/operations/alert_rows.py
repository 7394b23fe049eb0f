"""Alerts, read and written as sets."""

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from alerts.correlation import Fact
from alerts.operations import sql
from alerts.operations.episode_rows import Finding
from alerts.operations.histories import History, SpanChange, packed, unpacked
from alerts.queries.terms import terms
from alerts.queries.working_set import Member, WorkingSet

SEPARATOR = "\x1f"
LOAD = """
    SELECT a.source_id, a.fingerprint, a.id, a.name, a.severity, a.state, a.flapping,
        a.last_change_at, a.starts_at, a.ends_at, a.event_at, a.first_seen_at, a.last_seen_at,
        a.received_count, a.marks::text, a.labels::text, a.annotations::text, a.generator_url,
        a.notes::text[], a.group_id, a.role, a.episode, a.component_path, a.component_kind,
        a.job_id, a.failure_class, a.event_class, a.fault_code, a.why::text,
        coalesce(g.state = 'closed', false)
    FROM alerts a
    LEFT JOIN alerts_alertgroup g ON g.id = a.group_id
    JOIN unnest(%b::bigint[], %b::text[]) AS u(source_id, fingerprint)
      ON a.source_id = u.source_id AND a.fingerprint = u.fingerprint
"""
IDS = "SELECT nextval(pg_get_serial_sequence('alerts', 'id')) FROM generate_series(1, %s::integer)"
TEXT, TIME, INT = "%b::text[]", "%b::timestamptz[]", "%b::bigint[]"
# (column, type of its array, how the value is made of it)
COLUMNS: list[tuple[str, str, str]] = [
    ("id", INT, "{}"),
    ("source_id", INT, "{}"),
    ("fingerprint", TEXT, "{}"),
    ("name", TEXT, "{}"),
    ("severity", TEXT, "{}"),
    ("state", TEXT, "{}"),
    ("flapping", "%b::boolean[]", "{}"),
    ("last_change_at", TIME, "{}"),
    ("starts_at", TIME, "{}"),
    ("ends_at", TIME, "{}"),
    ("event_at", TIME, "{}"),
    ("first_seen_at", TIME, "{}"),
    ("last_seen_at", TIME, "{}"),
    ("received_count", INT, "{}"),
    ("episode", "%b::integer[]", "{}"),
    ("marks", TEXT, "{}::jsonb"),
    ("labels", TEXT, "{}::jsonb"),
    ("annotations", TEXT, "{}::jsonb"),
    ("generator_url", TEXT, "{}"),
    ("notes", TEXT, "string_to_array({}, chr(31))"),
    ("terms", TEXT, "array_to_tsvector(string_to_array({}, chr(31)))"),
    ("group_id", INT, "{}"),
    ("role", TEXT, "{}"),
    ("is_drill", "%b::boolean[]", "{}"),
    ("region", TEXT, "{}"),
    ("audience_id", INT, "{}"),
    ("component_path", TEXT, "{}"),
    ("component_kind", TEXT, "{}"),
    ("job_id", TEXT, "{}"),
    ("failure_class", TEXT, "{}"),
    ("event_class", TEXT, "{}"),
    ("fault_code", TEXT, "{}"),
    ("why", TEXT, "{}::jsonb"),
]
NAMES = [name for name, _, _ in COLUMNS]
KEPT = {"id", "source_id", "fingerprint", "first_seen_at"}
WRITE: Any = (
    f"INSERT INTO alerts ({', '.join(NAMES)}) SELECT "  # noqa: S608 - names of our own columns
    + ", ".join(form.format(f"u.{name}") for name, _, form in COLUMNS)
    + f" FROM unnest({', '.join(array for _, array, _ in COLUMNS)}) AS u({', '.join(NAMES)})"
    + " ON CONFLICT (source_id, fingerprint) DO UPDATE SET "
    + ", ".join(
        f"{name} = coalesce(excluded.{name}, alerts.{name})"
        if name == "terms"
        else f"{name} = excluded.{name}"
        for name in NAMES
        if name not in KEPT
    )
)


@dataclass(frozen=True, slots=True)
class Stored:
    """
    An alert as it stands, with what correlation said of its latest episode; `closed`: people
    are done with the group of that.
    """

    history: History
    group_id: int | None
    role: str
    episode: int
    finding: Finding
    closed: bool


@dataclass(frozen=True, slots=True)
class Placed:
    """What a batch found out about the latest episode of an alert."""

    fact: Fact
    group_id: int | None
    role: str


@dataclass(frozen=True, slots=True)
class Owner:
    """What an alert has from its source."""

    region: str
    audience_id: int | None
    is_drill: bool


def load(keys: Collection[tuple[int, str]]) -> dict[tuple[int, str], Stored]:
    sources, prints = sql.columns(sorted(keys), 2)
    return {(row[0], row[1]): _stored(row) for row in sql.run(LOAD, sources, prints)}


def _stored(row: tuple[Any, ...]) -> Stored:
    history = History(
        source_id=row[0],
        fingerprint=row[1],
        id=row[2],
        name=row[3],
        severity=row[4],
        state=row[5],
        flapping=row[6],
        last_change_at=row[7],
        starts_at=row[8],
        ends_at=row[9],
        event_at=row[10],
        first_seen_at=row[11],
        last_seen_at=row[12],
        received_count=row[13],
        marks=unpacked(json.loads(row[14])),
        labels=json.loads(row[15]),
        annotations=json.loads(row[16]),
        generator_url=row[17],
        notes=row[18],
        reworded=False,
    )
    return Stored(
        history=history,
        group_id=row[19],
        role=row[20],
        episode=row[21],
        finding=Finding(*row[22:29]),
        closed=row[29],
    )


def number(histories: Sequence[History]) -> None:
    """Fresh ids for new alerts: the site's lock is held, nobody else makes them."""
    if histories:
        for history, (pk,) in zip(histories, sql.run(IDS, len(histories)), strict=True):
            history.id = pk


def placed(
    changes: Sequence[SpanChange], members: Sequence[Member], working: WorkingSet
) -> dict[int, Placed]:
    """By alert: its latest episode, where the batch touched it."""
    return {
        member.alert_id: Placed(working.facts[member.id], member.group_id, member.role)
        for change, member in zip(changes, members, strict=True)
        if change.span.start == change.history.starts_at
    }


def write(
    histories: Iterable[History],
    places: dict[int, Placed],
    stored: dict[tuple[int, str], Stored],
    owners: dict[int, Owner],
) -> None:
    rows = [
        _row(
            history,
            places.get(history.id or 0),
            stored.get((history.source_id, history.fingerprint)),
            owners[history.source_id],
        )
        for history in histories
    ]
    sql.run(WRITE, *sql.columns(rows, len(COLUMNS)))


def _row(
    history: History, place: Placed | None, stored: Stored | None, owner: Owner
) -> tuple[Any, ...]:
    finding, region = _found(place, stored)
    group_id, role = _where(place, stored)
    words = (history.fingerprint, finding.component_path, finding.fault_code)
    return (
        history.id,
        history.source_id,
        history.fingerprint,
        history.name,
        history.severity,
        history.state,
        history.flapping,
        history.last_change_at,
        history.starts_at,
        history.ends_at,
        history.event_at,
        history.first_seen_at,
        history.last_seen_at,
        history.received_count,
        history.marks.dropped + len(history.marks.spans),
        json.dumps(packed(history.marks)),
        json.dumps(history.labels, ensure_ascii=False),
        json.dumps(history.annotations, ensure_ascii=False),
        history.generator_url,
        SEPARATOR.join(history.notes),
        _terms(history, words),
        group_id,
        role,
        place.fact.is_drill if place else owner.is_drill,
        owner.region or region or history.labels.get("region", "")[:64],
        owner.audience_id,
        *finding.row(),
    )


def _terms(history: History, words: Iterable[str]) -> str | None:
    """None keeps the stored ones: a repeat is found by the same words."""
    if not history.reworded:
        return None
    return SEPARATOR.join(terms(history.name, history.labels, words))


def _found(place: Placed | None, stored: Stored | None) -> tuple[Finding, str]:
    if place:
        return Finding.of(place.fact), place.fact.place.region[:64]
    return (stored.finding if stored else Finding("", "", "", "", "", "", "[]")), ""


def _where(place: Placed | None, stored: Stored | None) -> tuple[int | None, str]:
    if place:
        return place.group_id, place.role
    return (stored.group_id, stored.role) if stored else (None, "unknown")
