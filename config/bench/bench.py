"""What every measure stands on: one running product, its database, a token and a key."""

import http.client
import json
import time
from collections.abc import Sequence
from contextlib import closing
from typing import Any

import psycopg

from config.stack.running import Stack


class Bench:
    def __init__(self, stack: Stack, *, scale: float) -> None:
        self.stack = stack
        self.scale = scale
        self.rows = self._connect()
        self.token = _last_word(
            stack.manage("create_token", "--user", "admin", "--scopes", "all", "--name", "bench")
        )
        self.key = _last_word(
            stack.manage("create_source", "--kind", "alertmanager", "--name", "bench")
        )

    def _connect(self) -> "psycopg.Connection[tuple[Any, ...]]":
        return psycopg.connect(self.stack.env["DATABASE_OWNER_URL"], autocommit=True)

    def restart(self) -> float:
        """Stop and start the product; the seconds until it was ready again."""
        self.rows.close()
        self.stack.stop()
        began = time.monotonic()
        self.stack.start()
        seconds = time.monotonic() - began
        self.rows = self._connect()
        return seconds

    @property
    def hook(self) -> str:
        return f"/hooks/alertmanager/{self.key}"

    def scaled(self, count: int) -> int:
        """Fewer rows for a quick look at the bench itself (WARROOM_BENCH_SCALE)."""
        return max(10, int(count * self.scale))

    def ask(self, sql: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        return self.rows.execute(sql.encode(), parameters or None).fetchall()

    def do(self, sql: str, parameters: Sequence[object] = ()) -> None:
        self.rows.execute(sql.encode(), parameters or None)

    def one(self, sql: str, parameters: Sequence[object] = ()) -> Any:
        return self.ask(sql, parameters)[0][0]

    def api(self, method: str, path: str, body: object = None) -> Any:
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        with closing(http.client.HTTPConnection("127.0.0.1", self.stack.port, timeout=60)) as wire:
            wire.request(method, path, None if body is None else json.dumps(body), headers)
            answer = wire.getresponse()
            text = answer.read()
        if answer.status >= http.client.BAD_REQUEST:
            raise RuntimeError(f"{method} {path}: {answer.status} {text[:300]!r}")
        return json.loads(text)

    def quiet(self, seconds: float = 120.0) -> float:
        """Wait until every receipt is parsed and every event told; return how long that took."""
        began = time.monotonic()
        while self.one(
            "select (select count(*) from receipts where state = 'pending')"
            " + (select count(*) from core_event where dispatched_at is null)"
        ):
            if time.monotonic() - began > seconds:
                raise TimeoutError("receipts are still waiting")
            time.sleep(0.05)
        return time.monotonic() - began

    def copies(self, table: str, count: int, values: dict[str, str], where: str = "true") -> None:
        """
        Write `count` copies of one row of `table`, with `values` (SQL over `n`) in place of its own.

        The identity column must be among `values` or fill itself.
        """
        columns = [
            name
            for (name,) in self.ask(
                "select column_name from information_schema.columns where table_name = %s"
                " and table_schema = 'public' and is_generated = 'NEVER' and is_identity = 'NO'",
                [table],
            )
        ]
        chosen = ", ".join(values.get(name, f'"{name}"') for name in columns)
        names = ", ".join(f'"{name}"' for name in columns)
        self.do(
            f"insert into {table} ({names}) select {chosen}"  # noqa: S608
            f" from (select * from {table} where {where} limit 1) one, generate_series(1, {count}) n"
        )


def _last_word(text: str) -> str:
    return text.split()[-1]
