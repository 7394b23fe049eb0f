"""Processes that die, and a supervisor that is told to end, or dies itself."""

import http.client
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from config.stack.running import DidNotStart, Stack, wait_until
from tests.stack import tiny_stack

GONE_SECONDS = 8.0


def answers(url: str) -> bool:
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=3)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == http.client.OK
    finally:
        connection.close()


@contextmanager
def open_stream(url: str) -> Iterator[socket.socket]:
    parts = urlsplit(url)
    with socket.create_connection((parts.hostname, parts.port), timeout=5) as wire:
        wire.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert wire.recv(1000)
        yield wire


def alive(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


@pytest.mark.parametrize("name", ["web", "live", "worker", "valkey", "postgres"])
def test_whatever_is_killed_comes_back_and_the_others_stay(running: Stack, name: str) -> None:
    before = running.pids()

    running.kill(name)

    after = {**before, name: running.wait_for_return(name, before[name])}
    wait_until(lambda: running.pids() == after, 5, "another process was restarted too")
    wait_until(lambda: answers(running.base_url), 10, "web does not answer")
    assert f"{name} ended (killed by SIGKILL)" in " ".join(running.said().split())


def test_connection_data_are_for_this_user_only(running: Stack) -> None:
    assert running.layout.env_file.stat().st_mode & 0o777 == 0o600
    assert set(running.env) >= {"DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "SECRET_KEY"}


def test_keys_of_hooks_do_not_show_in_the_log(running: Stack) -> None:
    assert "POST /hooks/alertmanager/*** 202" in running.said()
    assert "very-secret-key" not in running.said()


def test_a_second_product_on_the_same_folder_is_refused_in_one_line(running: Stack) -> None:
    second = tiny_stack(running.layout.var)
    second.log = running.layout.var.with_name("second.log")

    assert second.launch().wait(10) == 1
    assert second.said().count("\n") == 1
    assert "War Room already runs on" in second.said()
    assert answers(running.base_url)


def test_a_port_that_is_taken_is_named(stack: Stack) -> None:
    refusal = pytest.raises(DidNotStart, match=f"Port {stack.port} .* is taken")
    with socket.create_server(("127.0.0.1", stack.port)), refusal:
        stack.start(30)


def test_term_ends_everything_quickly_though_streams_are_open(stack: Stack) -> None:
    stack.start()
    pids = stack.pids().values()

    with open_stream(stack.live_url):
        began = time.monotonic()
        code = stack.stop()

    assert code == 0
    assert time.monotonic() - began < GONE_SECONDS
    assert not [pid for pid in pids if alive(pid)]


def test_a_restart_keeps_the_data_the_key_and_the_live_port(stack: Stack) -> None:
    stack.start()
    before = stack.env
    stack.stop()

    began = time.monotonic()
    stack.start()

    assert stack.env == before
    assert time.monotonic() - began < GONE_SECONDS


def test_nothing_outlives_a_killed_supervisor_and_the_next_start_heals(stack: Stack) -> None:
    stack.start()
    pids = stack.pids().values()

    with open_stream(stack.live_url):
        stack.kill_supervisor()

        wait_until(lambda: not any(alive(pid) for pid in pids), GONE_SECONDS, "orphans are left")
    stack.start()
    assert answers(stack.base_url)


def test_a_killed_supervisor_may_be_started_again_at_once(stack: Stack) -> None:
    stack.start()

    with open_stream(stack.live_url):
        stack.kill_supervisor()
        stack.start()

    assert answers(stack.base_url)


def test_two_products_run_side_by_side(running: Stack, stack: Stack) -> None:
    stack.start()

    assert answers(running.base_url)
    assert answers(stack.base_url)
    assert running.live_url != stack.live_url
