"""A whole product as real processes, for tests and measurements: start, kill, look, stop."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from config.stack.child import die_with_parent
from config.stack.layout import ROOT, Layout, free_port

START_SECONDS = 240.0
STOP_SECONDS = 25.0
POLL_SECONDS = 0.05
UP = ("-m", "config.stack", "up")
# What a test runner has set for itself must not leak into the product.
FOREIGN = ("DATABASE_URL", "DATABASE_OWNER_URL", "DATABASE_APP_URL", "REDIS_URL", "SECRET_KEY")
FOREIGN_TOO = ("DJANGO_SETTINGS_MODULE", "WARROOM_LIVE_URL", "WARROOM_VAR", "WARROOM_STACK")


class DidNotStart(Exception):
    """Carries what the product said."""


class Stack:
    """
    One product on a data folder of its own. `stop()` keeps the data, so that `start()` may follow.

    `kill(name)` is kill -9: of `web live worker-intake worker-deliver worker-slow beat postgres
    valkey`.
    """

    def __init__(
        self,
        var: Path,
        *,
        port: int | None = None,
        demo: bool = False,
        environment: dict[str, str] | None = None,
        arguments: Sequence[str] = UP,
    ) -> None:
        self.layout = Layout(var)
        self.port = port or free_port()
        self.base_url = f"http://127.0.0.1:{self.port}"
        self.log = self.layout.var.with_name(f"{self.layout.var.name}.log")
        self._arguments = arguments
        own = {"WARROOM_VAR": str(var), "PORT": str(self.port), "WARROOM_DEMO": str(int(demo))}
        inherited = {k: v for k, v in os.environ.items() if k not in (*FOREIGN, *FOREIGN_TOO)}
        self._environment = inherited | own | (environment or {})
        self.supervisor: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> "Stack":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def launch(self) -> "subprocess.Popen[bytes]":
        """Start without waiting for anything."""
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with self.log.open("ab") as output:
            self.supervisor = subprocess.Popen(
                [sys.executable, *self._arguments],
                cwd=ROOT,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=die_with_parent(signal.SIGTERM, os.getpid()),
            )
        return self.supervisor

    def start(self, seconds: float = START_SECONDS) -> None:
        """:raises DidNotStart: with the end of the log, when it ended or took too long."""
        ready = self.layout.run / "ready"
        ready.unlink(missing_ok=True)
        process = self.launch()
        deadline = time.monotonic() + seconds
        while not ready.exists():
            if process.poll() is not None or time.monotonic() > deadline:
                self.stop()
                raise DidNotStart(self.said()[-4000:])
            time.sleep(POLL_SECONDS)

    def stop(self) -> int:
        """End it as TERM does, and return the exit code."""
        process = self.supervisor
        if process is None:
            return 0
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        return process.returncode

    @property
    def env(self) -> dict[str, str]:
        """Connection data as any terminal finds them."""
        lines = self.layout.env_file.read_text().splitlines()
        return dict(line.split("=", 1) for line in lines)

    @property
    def live_url(self) -> str:
        return self.env["WARROOM_LIVE_URL"]

    def pids(self) -> dict[str, int]:
        """Every process by its name, as the supervisor noted them last."""
        found: dict[str, int] = json.loads(self.layout.processes_file.read_text())
        return found

    def kill(self, name: str) -> int:
        """Send kill -9 and return the process id it had."""
        pid = self.pids()[name]
        os.kill(pid, signal.SIGKILL)
        return pid

    def kill_supervisor(self) -> None:
        if self.supervisor is not None:
            self.supervisor.kill()
            self.supervisor.wait()

    def wait_for_return(self, name: str, old: int, seconds: float = 60.0) -> int:
        """Wait until `name` runs again as another process than `old`."""

        def back() -> bool:
            return self.pids().get(name, old) != old

        wait_until(back, seconds, f"{name} did not come back")
        return self.pids()[name]

    def manage(self, *arguments: str) -> str:
        """Run a verb of manage.py as an operator would in another terminal."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self._environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"manage.py {' '.join(arguments)}: {done.stdout}{done.stderr}")
        return done.stdout

    def said(self) -> str:
        return self.log.read_text(errors="replace") if self.log.exists() else ""


def wait_until(condition: Callable[[], bool], seconds: float, complaint: str) -> None:
    """:raises TimeoutError: with `complaint`."""
    deadline = time.monotonic() + seconds
    while True:
        with suppress(OSError, ValueError):
            if condition():
                return
        if time.monotonic() > deadline:
            raise TimeoutError(complaint)
        time.sleep(POLL_SECONDS)
