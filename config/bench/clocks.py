"""10,000 deadlines in the same second, with a million old rows beside them."""

import time
from collections.abc import Iterator

from config.bench.bench import Bench
from config.bench.report import Measure

CLOCKS, OLD = 10_000, 1_000_000
AHEAD_SECONDS = 4
PATIENCE_SECONDS = 300.0
LEFT = "select count(*) from warroom_clockstep where state = 'pending' and due_at <= now()"


def measure(bench: Bench) -> Iterator[Measure]:
    count = bench.scaled(CLOCKS)
    _old_rows(bench, bench.scaled(OLD))
    first = bench.one("select max(number) from warroom_incident")
    bench.copies(
        "warroom_incident",
        count,
        {
            "state": "'responding'",
            "title": "'Bench ' || n",
            "group_id": "null",
            "closed_at": "null",
            "restored_at": "null",
            "merged_into_id": "null",
            "imported": "false",
        },
        "imported",
    )
    bench.do("analyze warroom_incident")
    bench.do("analyze warroom_clockstep")
    due = _set_off(bench, first)
    waits = _watch(bench, due, count)
    fired = bench.one(
        "select count(*) from warroom_timelineentry where kind = 'safest_restart' and incident_id > %s",
        [first],
    )
    note = f"{count:,} clocks, {bench.scaled(OLD):,} old rows, {fired:,} recorded"
    limits = (("p99", 0.99, 1.5), ("last", 1.0, 2.5))
    for name, share, goal in limits:
        yield Measure(
            measure=f"Clocks due in the same second, {name} committed",
            value=round(next(at for left, at in waits if left <= count * (1 - share)), 2),
            unit="s",
            goal=goal,
            peer="Healthchecks 272 (with sending)",
            limit="1.1",
            note=note,
        )


def _old_rows(bench: Bench, count: int) -> None:
    bench.do(
        """
        insert into warroom_clockstep (incident_id, action, minute, due_at, state, fired_at)
        select (select min(number) from warroom_incident), 'call_backups', 3,
               now() - n * interval '40 seconds', 'fired', now() - n * interval '40 seconds'
        from generate_series(1, %s) n
        """,
        [count],
    )


def _set_off(bench: Bench, first: int) -> float:
    """Write the deadlines and return the instant (of this machine) at which all are due."""
    bench.do(
        """
        insert into warroom_clockstep (incident_id, action, minute, due_at, state)
        select number, 'safest_restart', 90,
               date_trunc('second', now()) + %s * interval '1 second', 'pending'
        from warroom_incident where number > %s
        """,
        [AHEAD_SECONDS, first],
    )
    due = bench.one(
        "select extract(epoch from max(due_at)) from warroom_clockstep"
        " where state = 'pending' and incident_id > %s",
        [first],
    )
    return float(due)


def _watch(bench: Bench, due: float, count: int) -> list[tuple[int, float]]:
    """How many were left at which second after the deadline, as another session sees it."""
    time.sleep(max(0.0, due - time.time()))
    seen: list[tuple[int, float]] = []
    while True:
        left = bench.one(LEFT)
        seen.append((left, time.time() - due))
        if left == 0 or seen[-1][1] > PATIENCE_SECONDS:
            return seen if left == 0 else [*seen, (0, PATIENCE_SECONDS)]
        time.sleep(0.02)
