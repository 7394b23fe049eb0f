"""Set-based statements with server-side, binary parameters on Django's own connection."""

from collections.abc import Sequence
from typing import Any, LiteralString

import psycopg
from django.db import connection


def run(query: LiteralString, *params: Any) -> list[tuple[Any, ...]]:
    """
    The rows of one statement, or none.

    Django binds on the client, value by value; arrays for `unnest(%b::…)` cost a twentieth.
    """
    connection.ensure_connection()
    with psycopg.Cursor(connection.connection) as cursor:
        cursor.execute(query, params)
        return cursor.fetchall() if cursor.description else []


def columns(rows: Sequence[Sequence[Any]], width: int) -> list[list[Any]]:
    """Rows turned into the arrays that `unnest` takes; as many empty ones when there are none."""
    if not rows:
        return [[] for _ in range(width)]
    return [list(column) for column in zip(*rows, strict=True)]
