"""From a committed change to the frame in 500 open pages."""

import json
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from selectors import EVENT_READ, DefaultSelector
from urllib.parse import urlsplit

import redis

from config.bench.bench import Bench
from config.bench.report import Measure, percentile
from config.bench.visitor import Visitor

STREAMS, ROUNDS = 500, 10
PATIENCE_SECONDS = 20.0


def measure(bench: Bench) -> Iterator[Measure]:
    cookie = Visitor(bench.stack).cookies["sessionid"]
    with ExitStack() as open_ones:
        wires = [_open(bench, cookie, open_ones) for _ in range(STREAMS)]
        for wire in wires:
            _read(wire, b"event: hello")
        waits = [wait for _ in range(ROUNDS) for wait in _round(bench, wires)]
        connections = bench.one("select count(*) from pg_stat_activity where datname = 'warroom'")
    yield Measure(
        measure=f"Change told to its frame in {STREAMS} open pages, all in one room, p95",
        value=round(percentile(waits, 0.95) * 1000),
        unit="ms",
        goal=500,
        note="the page then fetches what it shows",
    )
    yield Measure(
        measure=f"Database connections with {STREAMS} open streams",
        value=connections,
        unit="",
        goal=40,
    )


def _open(bench: Bench, cookie: str, open_ones: ExitStack) -> socket.socket:
    address = urlsplit(bench.stack.live_url)
    wire = socket.create_connection((address.hostname or "", address.port or 0), timeout=30)
    wire.sendall(
        f"GET /live/stream?topics=board HTTP/1.1\r\nHost: {address.netloc}\r\n"
        f"Cookie: sessionid={cookie}\r\n\r\n".encode()
    )
    return open_ones.enter_context(wire)


def _round(bench: Bench, wires: list[socket.socket]) -> list[float]:
    """Announce a change as the product does after a commit; the seconds each page waited."""
    time.sleep(1.5)  # at most one frame per topic and second
    version = int(time.time() * 1000)
    bus = redis.Redis.from_url(bench.stack.env["REDIS_URL"])
    began = time.perf_counter()
    bus.publish("warroom:live", f"board {version}")
    waits, mark = [], json.dumps(version).encode()
    with DefaultSelector() as selector:
        texts = dict.fromkeys(wires, b"")
        for wire in wires:
            selector.register(wire, EVENT_READ)
        while selector.get_map() and time.perf_counter() - began < PATIENCE_SECONDS:
            for key, _ in selector.select(1):
                page = key.fileobj
                if isinstance(page, socket.socket):
                    texts[page] += page.recv(4096)
                    if mark in texts[page]:
                        waits.append(time.perf_counter() - began)
                        selector.unregister(page)
        waits += [PATIENCE_SECONDS] * len(selector.get_map() or {})
    return waits


def _read(wire: socket.socket, mark: bytes) -> None:
    text = b""
    while mark not in text:
        part = wire.recv(4096)
        if not part:
            raise RuntimeError(f"the stream was refused: {text[:300]!r}")
        text += part
