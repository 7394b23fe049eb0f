"""How many alerts a second, and how long from POST to an incident that can be seen."""

import itertools
import json
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from config.bench import load
from config.bench.bench import Bench
from config.bench.report import Measure, percentile

SECONDS = 10.0
CONNECTIONS = 8
BATCHED = (
    (50, 6000.0, 10_000, "Alerta 338", "33,000"),
    (500, 15_000.0, 20_000, "Alerta 305", "77,000"),
)
SAMPLES = 15
PATIENCE_SECONDS = 30.0
POLL_SECONDS = 0.01


def measure(bench: Bench) -> Iterator[Measure]:
    yield from _visible(bench)
    yield _single(bench)
    for size, goal, total, peer, limit in BATCHED:
        yield _batched(bench, size, goal, bench.scaled(total), peer, limit)


def bodies(numbers: Iterator[int], size: int) -> Iterator[bytes]:
    starts = datetime.now(UTC).isoformat()
    while True:
        yield json.dumps(
            {
                "version": "4",
                "status": "firing",
                "groupKey": "{}:{}",
                "truncatedAlerts": 0,
                "alerts": [_alert(next(numbers), starts) for _ in range(size)],
            }
        ).encode()


def _alert(number: int, starts: str) -> dict[str, object]:
    return {
        "status": "firing",
        "fingerprint": f"{number:016x}",
        "startsAt": starts,
        "endsAt": "0001-01-01T00:00:00Z",
        "labels": {
            "alertname": "NodeFilesystemAlmostFull",
            "severity": "info",
            "region": "ulanqab",
            "instance": f"sn{number % 16 + 1:02}-n{number % 48 + 1:02}:9100",
            "mountpoint": f"/data/{number}",
        },
        "annotations": {"summary": f"Filesystem {number} has 8% left"},
    }


def _single(bench: Bench) -> Measure:
    requests = (load.post(bench.hook, body) for body in bodies(itertools.count(1), 1))
    outcome = load.run(
        bench.stack.port, requests, connections=CONNECTIONS, seconds=SECONDS * bench.scale
    )
    drained = bench.quiet(600)
    return Measure(
        measure="Intake, one alert per POST, committed",
        value=round(outcome.accepted / outcome.seconds),
        unit="POST/s",
        goal=600,
        peer="Alerta 109",
        limit="1,600",
        more_is_better=True,
        note=f"p95 {percentile(outcome.latencies, 0.95) * 1000:.0f} ms, {outcome.refused} refused,"
        f" backlog parsed {drained:.0f} s later",
    )


def _batched(bench: Bench, size: int, goal: float, total: int, peer: str, limit: str) -> Measure:
    first = 10_000_000 * size
    some = itertools.islice(bodies(itertools.count(first), size), max(2, total // size))
    ready = [load.post(bench.hook, body) for body in some]
    began = time.perf_counter()
    outcome = load.run(bench.stack.port, iter(ready), connections=4, seconds=600)
    bench.quiet(600)
    return Measure(
        measure=f"{size} per POST: parsed, upserted, classified, correlated",
        value=round(outcome.accepted * size / (time.perf_counter() - began)),
        unit="alerts/s",
        goal=goal,
        peer=peer,
        limit=limit,
        more_is_better=True,
    )


def _visible(bench: Bench) -> Iterator[Measure]:
    waits = [_until_visible(bench, sample) for sample in range(SAMPLES)]
    for share, goal, peer in ((0.5, 150.0, "OnCall 50"), (0.95, 1000.0, "")):
        yield Measure(
            measure=f"POST to incident visible through the API, idle, p{share * 100:.0f}",
            value=round(percentile(waits, share) * 1000),
            unit="ms",
            goal=goal,
            peer=peer,
            note=f"{len(waits)} incidents, one after the other",
        )


def _until_visible(bench: Bench, sample: int) -> float:
    """A node of a job breaks; the incident is called off again, so that the next one is its own."""
    before = bench.one("select coalesce(max(number), 0) from warroom_incident")
    body = _broken_node(sample)
    began = time.perf_counter()
    load.run(bench.stack.port, iter([load.post(bench.hook, body)]), connections=1, seconds=60)
    while True:
        newest = bench.api("GET", "/api/v1/incidents?state=open")["results"]
        fresh = [one["number"] for one in newest if one["number"] > before]
        if fresh:
            break
        if time.perf_counter() - began > PATIENCE_SECONDS:
            raise TimeoutError("no incident appeared")
        time.sleep(POLL_SECONDS)
    waited = time.perf_counter() - began
    for number in fresh:
        bench.api(
            "POST",
            f"/api/v1/incidents/{number}/actions",
            {"action": "false_alarm", "reason": "bench"},
        )
    bench.quiet()
    return waited


def _broken_node(sample: int) -> bytes:
    node = f"sn{17 + sample % 8:02}-n{sample + 5:02}"
    starts = (datetime.now(UTC) - timedelta(seconds=1)).isoformat()
    alert = _alert(900_000_000 + sample, starts)
    alert["labels"] = {
        "alertname": "NpuFault",
        "severity": "critical",
        "region": "shanghai",
        "node": node,
        "npu": str(sample % 8),
        "fault_code": "80E01801",
        "layer": "hardware-npu",
    }
    return json.dumps({"version": "4", "status": "firing", "alerts": [alert]}).encode()
