"""Run one command beside databases that live as long as it does."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from config.stack import services
from config.stack.console import Console
from config.stack.layout import ROOT, CannotStart, Layout
from config.stack.supervisor import Stopped, Supervisor

GRACE_SECONDS = 5.0


def execute(command: Sequence[str], *, var: Path | None, careless: bool, verbose: bool) -> int:
    """Return the command's exit code; a folder of our own is removed afterwards."""
    console = Console(quiet=not verbose)
    folder = var or Path(tempfile.mkdtemp(prefix="wr-"))
    layout = Layout(folder)
    supervisor = Supervisor(layout, console)
    supervisor.listen_to_signals()
    try:
        layout.make()
        layout.lock()
        values = services.start(layout, console, supervisor, careless=careless)
        values["DATABASE_APP_URL"] = values["DATABASE_URL"]
        values["DATABASE_URL"] = values["DATABASE_OWNER_URL"]
        layout.write_env(values)
        return _run(command, services.environment(layout, values), supervisor)
    except Stopped:
        return 128 + signal.SIGTERM
    except CannotStart as error:
        console.complain(str(error))
        return 1
    finally:
        supervisor.stop()
        layout.unlock()
        if var is None:
            shutil.rmtree(folder, ignore_errors=True)


def _run(command: Sequence[str], environment: dict[str, str], supervisor: Supervisor) -> int:
    if "DJANGO_SETTINGS_MODULE" not in os.environ:
        del environment["DJANGO_SETTINGS_MODULE"]  # the command knows its own
    try:
        process = subprocess.Popen(list(command), env=environment, cwd=ROOT)
    except OSError as error:
        sys.stderr.write(f"{command[0]}: {error.strerror}\n")
        return 127
    try:
        while process.poll() is None:
            supervisor.pump(0.05, heal=True)
    finally:
        _end(process)
    return process.returncode if process.returncode >= 0 else 128 - process.returncode


def _end(process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + GRACE_SECONDS
    if process.poll() is None:
        process.terminate()
    while process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    if process.poll() is None:
        with suppress(ProcessLookupError):
            process.kill()
        process.wait()
