"""One child process: dies with us, ends with its whole group, and never blocks on its output."""

import ctypes
import os
import pwd
import signal
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from config.stack.layout import ROOT

PR_SET_PDEATHSIG = 1
_prctl = ctypes.CDLL(None, use_errno=True).prctl
READ_BYTES = 65536
LONGEST_LINE = 4000


def die_with_parent(number: int, parent: int) -> Callable[[], None]:
    """
    Ask the kernel to signal the child when we die, also by kill -9.

    Runs between fork and exec, after the change of user (which would undo it).
    """

    def ask() -> None:
        _prctl(PR_SET_PDEATHSIG, number)
        if os.getppid() != parent:
            os._exit(1)

    return ask


class Child:
    """A process group of our own making."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        environment: dict[str, str],
        *,
        user: pwd.struct_passwd | None = None,
        stop_signal: int = signal.SIGTERM,
        grace_seconds: float = 4.0,
        stdin: bytes = b"",
        before_start: Callable[[], None] | None = None,
    ) -> None:
        self.name = name
        self.command = list(command)
        self.environment = environment
        self.user = user
        self.stop_signal = stop_signal
        self.grace_seconds = grace_seconds
        self.stdin = stdin
        self.before_start = before_start
        self.process: subprocess.Popen[bytes] | None = None
        self._rest = b""

    def start(self) -> IO[bytes]:
        """Start it, and return its output."""
        if self.before_start is not None:
            self.before_start()
        # A full stop signal is right for the death of the supervisor too: granian takes its own
        # children along only when it is asked to end.
        prepare = die_with_parent(self.stop_signal, os.getpid())
        process = subprocess.Popen(
            self.command,
            stdin=subprocess.PIPE if self.stdin else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=self.environment,
            cwd=ROOT,
            start_new_session=True,
            preexec_fn=prepare,
            **as_user(self.user),
        )
        if process.stdin is not None:
            with suppress(BrokenPipeError):
                process.stdin.write(self.stdin)
                process.stdin.close()
        self.process = process
        self._rest = b""
        if process.stdout is None:
            raise RuntimeError(self.name)
        os.set_blocking(process.stdout.fileno(), False)
        return process.stdout

    def ended(self) -> str:
        """How it ended, as words; empty while it runs."""
        code = self.process.poll() if self.process else 0
        if code is None:
            return ""
        if code < 0:
            return f"killed by {signal.Signals(-code).name}"
        return f"exit code {code}"

    @property
    def running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    @property
    def pid(self) -> int:
        return self.process.pid if self.process else 0

    def read_lines(self, stream: IO[bytes]) -> tuple[list[str], bool]:
        """Return the lines that are there, and whether more can come."""
        try:
            data = os.read(stream.fileno(), READ_BYTES)
        except BlockingIOError:
            return [], True
        except OSError:
            return [], False
        text = self._rest + data
        *lines, self._rest = text.split(b"\n")
        if not data or len(self._rest) > LONGEST_LINE:
            lines, self._rest = [*lines, self._rest], b""
        return [line.decode(errors="replace") for line in lines if line.strip()], bool(data)

    def ask_to_end(self) -> None:
        if self.process and self.process.poll() is None:
            self.process.send_signal(self.stop_signal)

    def kill_group(self) -> None:
        """End whatever is left of it, grandchildren too."""
        if self.process:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)


def as_user(user: pwd.struct_passwd | None) -> dict[str, Any]:
    if user is None or user.pw_uid == os.getuid():
        return {}
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


def run_quietly(
    command: Sequence[str],
    environment: dict[str, str],
    *,
    user: pwd.struct_passwd | None = None,
    text: str = "",
    cwd: Path = Path("/"),
) -> subprocess.CompletedProcess[str]:
    """Run a short command to its end, both outputs in `stdout`."""
    return subprocess.run(
        list(command),
        env=environment,
        input=text,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        cwd=cwd,
        preexec_fn=die_with_parent(signal.SIGKILL, os.getpid()),
        **as_user(user),
    )
