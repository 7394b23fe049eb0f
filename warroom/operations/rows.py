"""Rows written as sets: an array a column, one statement a table."""

import json
from collections.abc import Iterable

from core.operations import sql
from warroom.models import Participant, TimelineEntry

WRITE_DOWN = """
    INSERT INTO warroom_timelineentry
        (incident_id, kind, params, text, at, recorded_at, actor_id)
    SELECT u.incident_id, u.kind, u.params::jsonb, u.text, u.at, u.recorded_at, u.actor_id
    FROM unnest(%b::bigint[], %b::text[], %b::text[], %b::text[], %b::timestamptz[],
                %b::timestamptz[], %b::bigint[])
        AS u(incident_id, kind, params, text, at, recorded_at, actor_id)
"""
ENLIST = """
    INSERT INTO warroom_participant
        (incident_id, user_id, state, roles, domains, required, asked_at, acknowledged_at,
         joined_at, left_at, calls, reason)
    SELECT u.incident_id, u.user_id, u.state, string_to_array(u.roles, ','),
        string_to_array(u.domains, ','), u.required, u.asked_at, u.acknowledged_at,
        u.joined_at, u.left_at, u.calls, u.reason
    FROM unnest(%b::bigint[], %b::bigint[], %b::text[], %b::text[], %b::text[], %b::boolean[],
                %b::timestamptz[], %b::timestamptz[], %b::timestamptz[], %b::timestamptz[],
                %b::smallint[], %b::text[])
        AS u(incident_id, user_id, state, roles, domains, required, asked_at, acknowledged_at,
             joined_at, left_at, calls, reason)
"""
CHANGE = """
    UPDATE warroom_participant AS p SET
        state = u.state, roles = string_to_array(u.roles, ','),
        domains = string_to_array(u.domains, ','), required = u.required, asked_at = u.asked_at,
        acknowledged_at = u.acknowledged_at, joined_at = u.joined_at, left_at = u.left_at,
        calls = u.calls, reason = u.reason
    FROM unnest(%b::bigint[], %b::text[], %b::text[], %b::text[], %b::boolean[],
                %b::timestamptz[], %b::timestamptz[], %b::timestamptz[], %b::timestamptz[],
                %b::smallint[], %b::text[])
        AS u(id, state, roles, domains, required, asked_at, acknowledged_at, joined_at,
             left_at, calls, reason)
    WHERE p.id = u.id
"""


def write_down(entries: Iterable[TimelineEntry]) -> None:
    rows = [
        (
            one.incident_id,
            one.kind,
            json.dumps(one.params),
            one.text,
            one.at,
            one.recorded_at,
            one.actor_id,
        )
        for one in entries
    ]
    sql.run(WRITE_DOWN, *sql.columns(rows, 7))


def enlist(people: Iterable[Participant]) -> None:
    rows = [(one.incident_id, one.user_id, *_columns(one)) for one in people]
    sql.run(ENLIST, *sql.columns(rows, 12))


def change(people: Iterable[Participant]) -> None:
    rows = [(one.pk, *_columns(one)) for one in people]
    sql.run(CHANGE, *sql.columns(rows, 11))


def _columns(one: Participant) -> tuple[object, ...]:
    return (
        str(one.state),
        ",".join(one.roles),
        ",".join(one.domains),
        one.required,
        one.asked_at,
        one.acknowledged_at,
        one.joined_at,
        one.left_at,
        one.calls,
        one.reason,
    )
