"""Keep-alive HTTP/1.1 load against our own loopback product: closed loop, N connections."""

import asyncio
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http import HTTPStatus

LINE_END = b"\r\n"


@dataclass
class Outcome:
    seconds: float = 0.0
    accepted: int = 0
    refused: int = 0
    latencies: list[float] = field(default_factory=list)


def run(port: int, requests: Iterator[bytes], *, connections: int, seconds: float) -> Outcome:
    """Send as fast as answers come, until `requests` or `seconds` are used up."""
    return asyncio.run(_run(port, requests, connections, seconds))


async def _run(port: int, requests: Iterator[bytes], connections: int, seconds: float) -> Outcome:
    outcome = Outcome()
    began = time.perf_counter()
    await asyncio.gather(
        *(_one(port, requests, outcome, began + seconds) for _ in range(connections))
    )
    outcome.seconds = time.perf_counter() - began
    return outcome


async def _one(port: int, requests: Iterator[bytes], outcome: Outcome, end: float) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for request in requests:
        began = time.perf_counter()
        if began > end:
            break
        writer.write(request)
        status = await _answer(reader)
        outcome.latencies.append(time.perf_counter() - began)
        if status in {HTTPStatus.OK, HTTPStatus.ACCEPTED}:
            outcome.accepted += 1
        else:
            outcome.refused += 1
    writer.close()


async def _answer(reader: asyncio.StreamReader) -> int:
    head = await reader.readuntil(LINE_END * 2)
    status, length, chunked = int(head[9:12]), 0, False
    for line in head.split(LINE_END):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
        chunked = chunked or (name.lower() == b"transfer-encoding" and b"chunked" in value)
    if chunked:
        while size := int(await reader.readuntil(LINE_END), 16):
            await reader.readexactly(size + 2)
        await reader.readuntil(LINE_END)
    elif length:
        await reader.readexactly(length)
    return status


def post(path: str, body: bytes) -> bytes:
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def get(path: str, headers: dict[str, str]) -> bytes:
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{lines}\r\n".encode()
