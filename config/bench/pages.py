"""Server time of the lists with a million alerts and 10,000 incidents."""

import itertools
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from config.bench import intake, load
from config.bench.bench import Bench
from config.bench.report import Measure, percentile
from config.bench.visitor import Visitor

ALERTS, INCIDENTS = 1_000_000, 10_000
REPEATS = 40
PATHS = (
    "/api/v1/alerts",
    "/api/v1/alerts?search=Filesystem",
    "/api/v1/alerts?state=firing",
    "/api/v1/incidents",
    "/alerts/",
    "/incidents/",
    "/",
    "/recovery/{yesterday}/",
)


def measure(bench: Bench) -> Iterator[Measure]:
    _fill(bench)
    cookie = Visitor(bench.stack).cookies["sessionid"]
    headers = {"Authorization": f"Bearer {bench.token}", "Cookie": f"sessionid={cookie}"}
    yesterday = datetime.now(UTC).date() - timedelta(days=1)
    for path in (path.format(yesterday=yesterday) for path in PATHS):
        own = {k: v for k, v in headers.items() if (k == "Cookie") != path.startswith("/api/")}
        requests = itertools.repeat(load.get(path, own), REPEATS)
        outcome = load.run(bench.stack.port, requests, connections=1, seconds=120)
        for share, goal in ((0.5, 40.0), (0.95, 150.0)):
            yield Measure(
                measure=f"List {path}, p{share * 100:.0f}",
                value=round(percentile(outcome.latencies, share) * 1000),
                unit="ms",
                goal=goal,
                peer="Alerta 114 with 100k" if path == "/api/v1/alerts" else "",
                limit="27",
                note=f"{outcome.refused} of {REPEATS} not answered 200" if outcome.refused else "",
            )


def _fill(bench: Bench) -> None:
    one = load.post(bench.hook, next(intake.bodies(itertools.count(), 1)))
    load.run(bench.stack.port, iter([one]), connections=1, seconds=60)
    bench.quiet()
    have = bench.one("select count(*) from alerts")
    bench.copies(
        "alerts",
        max(0, bench.scaled(ALERTS) - have),
        {
            "fingerprint": "'bench-' || n",
            "group_id": "null",
            "starts_at": "now() - n * interval '1 minute'",
            "state": "case when n % 50 = 0 then 'firing' else 'resolved' end",
        },
        "fingerprint not like 'bench-%'",
    )
    more = bench.scaled(INCIDENTS) - bench.one("select count(*) from warroom_incident")
    ago = "now() - n * interval '97 minutes'"
    bench.copies(
        "warroom_incident", max(0, more), {"opened_at": ago, "group_id": "null"}, "imported"
    )
    for table in ("alerts", "warroom_incident"):
        bench.do(f"vacuum analyze {table}")
