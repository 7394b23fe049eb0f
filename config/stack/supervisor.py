"""Watches children in one thread: passes on what they say, and starts again whoever dies."""

import json
import selectors
import signal
import time
from collections.abc import Callable, Sequence
from types import FrameType
from typing import IO

from config.stack.child import Child
from config.stack.console import NOISE, Console
from config.stack.layout import CannotStart, Layout, write_private

TICK_SECONDS = 0.2
FIRST_PAUSE_SECONDS = 0.3
LONGEST_PAUSE_SECONDS = 15.0
STEADY_SECONDS = 20.0
KEPT_LINES = 12


class Stopped(Exception):
    """Somebody asked for the end (Ctrl-C, TERM, a closed terminal)."""


class Watched:
    """A child with the memory that the supervisor needs of it."""

    def __init__(self, child: Child) -> None:
        self.child = child
        self.lines: list[str] = []
        self.failures = 0
        self.keeps_all = False
        self.killed = False
        self.started_at = 0.0
        self.start_again_at: float | None = None
        self.stream: IO[bytes] | None = None


class Supervisor:
    def __init__(self, layout: Layout, console: Console) -> None:
        self._layout = layout
        self._console = console
        self._watched: dict[str, Watched] = {}
        self._selector = selectors.DefaultSelector()
        self._asked = 0

    def listen_to_signals(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._on_signal)

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        self._asked += 1

    def start(self, child: Child) -> None:
        watched = Watched(child)
        self._watched[child.name] = watched
        self._launch(watched)

    def _launch(self, watched: Watched) -> None:
        watched.start_again_at = None
        watched.started_at = time.monotonic()
        try:
            watched.stream = watched.child.start()
        except OSError as error:
            raise CannotStart(f"{watched.child.name} could not be started: {error}") from error
        self._selector.register(watched.stream, selectors.EVENT_READ, watched)
        self._note_processes()

    def pump(self, seconds: float = TICK_SECONDS, *, heal: bool = False) -> None:
        """Pass on output for a moment; with `heal`, start again whoever has died."""
        for key, _ in self._selector.select(seconds):
            self._read(key.data)
        if self._asked:
            raise Stopped
        if heal:
            for watched in list(self._watched.values()):
                self._heal(watched)

    def _read(self, watched: Watched) -> None:
        if watched.stream is None:
            return
        lines, more = watched.child.read_lines(watched.stream)
        if not watched.keeps_all:
            for line in lines:
                self._console.line(watched.child.name, line)
        watched.lines = [*watched.lines, *lines][0 if watched.keeps_all else -KEPT_LINES :]
        if not more:
            self._close(watched)

    def _close(self, watched: Watched) -> None:
        if watched.stream is not None:
            self._selector.unregister(watched.stream)
            watched.stream.close()
            watched.stream = None

    def _heal(self, watched: Watched) -> None:
        now = time.monotonic()
        if watched.start_again_at is None:
            if not (how := watched.child.ended()):
                return
            self._read(watched)
            self._close(watched)
            watched.child.kill_group()
            steady = now - watched.started_at > STEADY_SECONDS
            watched.failures = 0 if steady else watched.failures + 1
            pause = min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2**watched.failures)
            watched.start_again_at = now + pause
            self._console.say(
                f"{watched.child.name} ended ({how}); starting it again in {pause:.1f} s."
            )
        elif now >= watched.start_again_at:
            try:
                self._launch(watched)
            except CannotStart as error:
                self._console.say(str(error))
                watched.failures += 1
                watched.start_again_at = now + LONGEST_PAUSE_SECONDS

    def wait_until(self, ready: Callable[[], bool], seconds: float, *names: str) -> bool:
        """Pump until `ready()`; false when it took too long or one of `names` died."""
        deadline = time.monotonic() + seconds
        while not ready():
            self.pump(0.05)
            if time.monotonic() > deadline:
                return False
            if any(self._watched[name].child.ended() for name in names):
                self.pump(0.05)
                return False
        return True

    def last_words(self, name: str) -> str:
        """The line that tells most about why it died."""
        lines = self._watched[name].lines
        lines = [line for line in lines if not any(noise in line for noise in NOISE)]
        telling = [line for line in lines if "FATAL" in line or "rror" in line]
        return (telling or lines or ["it said nothing"])[-1].strip()

    def run(self, name: str, command: Sequence[str], environment: dict[str, str]) -> list[str]:
        """Run a command to its end and return what it said; raise when it failed."""
        watched = Watched(Child(name, command, environment))
        watched.keeps_all = True
        self._watched[name] = watched
        self._launch(watched)
        while not watched.child.ended() or watched.stream is not None:
            self.pump(0.05)
        if watched.child.ended() != "exit code 0":
            for line in watched.lines:
                self._console.line(name, line)
            raise CannotStart(f"`{' '.join(command)}` failed: {self.last_words(name)}")
        del self._watched[name]
        return watched.lines

    def watch(self, until: Callable[[], bool] = lambda: False) -> None:
        """Heal for ever, or `until` something is so."""
        while not until():
            self.pump(heal=True)

    def stop(self) -> None:
        """End everybody: whoever uses the databases first, the databases last, hangers-on by force."""
        self._asked = 0
        databases = {"postgres", "valkey"}
        users = [w for name, w in self._watched.items() if name not in databases]
        self._end(users)
        self._end([w for name, w in self._watched.items() if name in databases])
        self._watched.clear()

    def _end(self, group: list[Watched]) -> None:
        began = time.monotonic()
        for watched in group:
            watched.child.ask_to_end()
        while any(w.child.running for w in group):
            for key, _ in self._selector.select(0.05):
                self._read(key.data)
            for watched in group:
                late = time.monotonic() - began > watched.child.grace_seconds
                if watched.child.running and (late or self._asked) and not watched.killed:
                    self._console.say(f"{watched.child.name} did not end in time: killed.")
                    watched.killed = True
                    watched.child.kill_group()
        for watched in group:
            watched.child.kill_group()
            self._read(watched)
            self._close(watched)

    def _note_processes(self) -> None:
        pids = {name: w.child.pid for name, w in self._watched.items() if w.child.running}
        write_private(self._layout.processes_file, json.dumps(pids) + "\n")
