"""300 open pages: ordinary pages answer, and no stream holds a database connection."""

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from urllib.parse import urlsplit

import psycopg
import pytest

from config.bench.visitor import Visitor
from config.stack.running import Stack
from tests.journeys.sender import Sender

pytestmark = [pytest.mark.journey, pytest.mark.timeout(600)]

STREAMS = 300
FEW = 40  # pools of six processes; far below one for each stream
SLOW_SECONDS = 5.0


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    with Stack(tmp_path_factory.mktemp("streams") / "var") as product:
        yield product


@pytest.fixture(scope="module")
def visitor(stack: Stack) -> Visitor:
    return Visitor(stack)


@pytest.fixture(scope="module")
def streams(stack: Stack, visitor: Visitor) -> Iterator[list[socket.socket]]:
    address = urlsplit(stack.live_url)
    request = (
        f"GET /live/stream?topics=board,alerts,receipts HTTP/1.1\r\nHost: {address.netloc}\r\n"
        f"Cookie: {visitor.cookie_header}\r\nOrigin: {stack.base_url}\r\n\r\n"
    ).encode()
    with ExitStack() as open_ones:
        wires = []
        for _ in range(STREAMS):
            wire = socket.create_connection((address.hostname, address.port), timeout=30)
            wires.append(open_ones.enter_context(wire))
            wire.sendall(request)
        for wire in wires:
            read_until(wire, b"event: hello")
        yield wires


def read_until(wire: socket.socket, mark: bytes) -> bytes:
    text = b""
    while mark not in text:
        part = wire.recv(4096)
        assert part, text.decode()
        text += part
    return text


def test_the_database_has_no_connection_per_stream(
    stack: Stack, streams: list[socket.socket]
) -> None:
    with psycopg.connect(stack.env["DATABASE_OWNER_URL"]) as rows:
        counted = rows.execute(
            "select count(*) from pg_stat_activity where datname = 'warroom'"
        ).fetchone()

    assert counted is not None
    assert counted[0] < FEW


@pytest.mark.parametrize("path", ["/", "/incidents/", "/alerts/", "/duty/", "/readyz"])
def test_ordinary_pages_answer_meanwhile(
    visitor: Visitor, streams: list[socket.socket], path: str
) -> None:
    began = time.monotonic()

    assert visitor.get(path) == 200
    assert time.monotonic() - began < SLOW_SECONDS


def test_every_stream_hears_of_a_change(stack: Stack, streams: list[socket.socket]) -> None:
    said = stack.manage("create_source", "--kind", "alertmanager", "--name", "streams")

    Sender(port=stack.port, key=said.split()[-1], pace=0).start()

    for wire in streams:
        read_until(wire, b"event: change")
