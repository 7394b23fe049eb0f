"""The hook through a real server process, and a real worker process that is killed."""

import asyncio
import gzip
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.utils import timezone

from alerts.models import Alert, Episode, Receipt
from alerts.operations import intake, partitions
from tests.alerts.payloads import body, item, keep
from tests.factories.alerts import SourceFactory
from tests.processes import database_url

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
ROOT = Path(__file__).resolve().parents[2]
KEY = "process-key"
JSON = {"Content-Type": "application/json"}
HANG = """
import django; django.setup()
import time
from django.utils import timezone
from alerts.operations import intake, groups, episode_rows
def hang(*args, **kwargs):
    print("in the middle", flush=True)
    time.sleep(60)
episode_rows.reassign = hang
intake.parse_all(at=timezone.now())
"""


def environment() -> dict[str, str]:
    """The same database as this test's, for a process of its own."""
    return {
        **os.environ,
        "DATABASE_URL": database_url(),
        "DJANGO_SETTINGS_MODULE": "config.settings.test",
        "WARROOM_MAX_BODY_MB": "16",
        "PYTHONPATH": str(ROOT),
    }


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@pytest.fixture
def base(transactional_db: None) -> Iterator[str]:
    SourceFactory.create(key=KEY)
    port = free_port()
    command = [str(Path(sys.executable).with_name("granian")), "--interface", "wsgi"]
    server = subprocess.Popen(
        [*command, "--port", str(port), "--no-ws", "config.wsgi:application"],
        cwd=ROOT,
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield _answering(f"http://127.0.0.1:{port}")
    finally:
        server.terminate()
        server.wait(20)


def _answering(base: str) -> str:
    for _ in range(300):
        try:
            httpx.get(f"{base}/hooks/alertmanager/x", timeout=5)
        except httpx.TransportError:
            time.sleep(0.1)
        else:
            return base
    raise AssertionError("the server did not start")


def pieces(raw: bytes, size: int = 4096) -> Iterator[bytes]:
    for first in range(0, len(raw), size):
        yield raw[first : first + size]


def test_bodies_arrive_whole_however_they_are_sent(base: str) -> None:
    url = f"{base}/hooks/alertmanager/{KEY}"
    sent = json.dumps(body(*(item(f"A{n}") for n in range(300)))).encode()
    zipped, gzip_header = gzip.compress(sent), {**JSON, "Content-Encoding": "gzip"}

    answers = [
        httpx.post(url, content=sent, headers=JSON),
        httpx.post(url, content=pieces(sent), headers=JSON),
        httpx.post(url, content=zipped, headers=gzip_header),
        httpx.post(url, content=pieces(zipped), headers=gzip_header),
        httpx.post(url, content=b"", headers=JSON),
    ]

    assert [answer.status_code for answer in answers] == [202] * 5
    stored = [bytes(Receipt.objects.get(id=answer.json()["receipt"]).body) for answer in answers]
    assert stored == [sent, sent, sent, sent, b""]


def test_the_limit_holds_for_every_way_of_sending(base: str) -> None:
    url = f"{base}/hooks/alertmanager/{KEY}"
    large, over = b"x" * 15 * 2**20, b"x" * 17 * 2**20
    bomb = gzip.compress(over)

    answers = [
        httpx.post(url, content=pieces(large, 2**20), headers=JSON, timeout=60),
        httpx.post(url, content=pieces(over, 2**20), headers=JSON, timeout=60),
        httpx.post(url, content=bomb, headers={**JSON, "Content-Encoding": "gzip"}, timeout=60),
    ]

    assert [answer.status_code for answer in answers] == [202, 413, 413]
    assert Receipt.objects.get().size == len(large)


async def _post_all(url: str, bodies: list[Any]) -> list[int]:
    async with httpx.AsyncClient(timeout=60) as client:
        answers = await asyncio.gather(*(client.post(url, json=one) for one in bodies))
    return [answer.status_code for answer in answers]


def test_two_hundred_parallel_posts_are_all_stored_and_counted_right(base: str) -> None:
    bodies = [body(item(f"A{n % 10}")) for n in range(200)]

    statuses = asyncio.run(_post_all(f"{base}/hooks/alertmanager/{KEY}", bodies))
    intake.parse_all(at=timezone.now())

    assert statuses == [202] * 200
    assert Receipt.objects.filter(state="parsed").count() == 200
    assert Alert.objects.count() == Episode.objects.count() == 10
    assert set(Alert.objects.values_list("received_count", flat=True)) == {20}


def test_a_worker_killed_in_the_middle_of_a_batch_loses_and_doubles_nothing() -> None:
    partitions.make_weeks()
    source = SourceFactory.create()
    for n in range(20):
        keep(source, body(item(f"A{n}"), item(f"A{n}")), at=timezone.now())
    worker = subprocess.Popen(
        [sys.executable, "-c", HANG], cwd=ROOT, env=environment(), stdout=subprocess.PIPE, text=True
    )
    assert worker.stdout is not None
    assert worker.stdout.readline() == "in the middle\n"

    worker.send_signal(signal.SIGKILL)
    worker.wait(20)
    waiting = Receipt.objects.filter(state="pending").count()
    intake.parse_all(at=timezone.now())

    assert waiting == 20
    assert not Receipt.objects.exclude(state="parsed").exists()
    assert Alert.objects.count() == 20
    assert set(Alert.objects.values_list("received_count", "episode")) == {(2, 1)}
