"""From an empty folder to a product that answers, and back."""

import http.client
import os
import re
import socket
import time
from collections.abc import Callable, Sequence

from config.stack import services
from config.stack.child import Child
from config.stack.console import Console
from config.stack.layout import CannotStart, Layout, port_is_free
from config.stack.supervisor import Stopped, Supervisor
from config.stack.table import LIVE, PROCESSES, WEB, Process

WEB_SECONDS = 90.0
LOGIN = re.compile(r"\S+ / \S+")


def preparation() -> tuple[str, ...]:
    demo = os.environ.get("WARROOM_DEMO", "1").lower() not in {"0", "false", "no", "off", ""}
    return ("python", "-m", "config.stack.prepare", "load_demo" if demo else "bootstrap")


def _listens(values: dict[str, str]) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", int(values["WARROOM_LIVE_PORT"])), timeout=2):
            return True
    except OSError:
        return False


class Product:
    def __init__(
        self,
        layout: Layout,
        console: Console,
        *,
        port: int,
        processes: Sequence[Process] = PROCESSES,
        prepare: Sequence[str] = (),
    ) -> None:
        """`prepare` is the command that runs first and tells how to log in."""
        self._layout = layout
        self._console = console
        self._port = port
        self._processes = processes
        self._prepare = prepare or preparation()
        self._supervisor = Supervisor(layout, console)
        self._ask_again_at = 0.0

    def run(self) -> int:
        """Run until somebody asks for the end; return the exit code."""
        self._supervisor.listen_to_signals()
        began = time.monotonic()
        try:
            self._layout.make()
            self._layout.lock()
            self._up(began)
            self._supervisor.watch(until=self._is_ready)
            (self._layout.run / "ready").write_text(f"http://127.0.0.1:{self._port}\n")
            self._supervisor.watch()
        except Stopped:
            self._console.say("Ending; the data stays.")
            return 0
        except CannotStart as error:
            self._console.complain(str(error))
            return 1
        finally:
            self._supervisor.stop()
            (self._layout.run / "ready").unlink(missing_ok=True)
            self._layout.unlock()
        return 0

    def _up(self, began: float) -> None:
        (self._layout.run / "ready").unlink(missing_ok=True)
        values = services.start(self._layout, self._console, self._supervisor)
        self._claim_port()
        values["PORT"] = str(self._port)
        self._layout.write_env(values)
        environment = services.environment(self._layout, values)
        self._console.say("Bringing tables and first data up to date …")
        logins = self._supervisor.run("prepare", self._prepare, environment)
        self._start_processes(environment, values)
        self._greet(logins, time.monotonic() - began)

    def _start_processes(self, environment: dict[str, str], values: dict[str, str]) -> None:
        """The pages first, so that somebody who waits for them does not wait for the workers too."""
        application = {k: v for k, v in environment.items() if k != "DATABASE_OWNER_URL"}
        pages = {WEB.name: self._web_answers, LIVE.name: lambda: _listens(values)}
        for process in sorted(self._processes, key=lambda process: process.name not in pages):
            if process.name not in pages:
                self._wait_for(pages)
            own = process.environment | self._addresses(process.name, values)
            self._supervisor.start(
                Child(
                    process.name,
                    process.command,
                    application | own,
                    grace_seconds=process.grace_seconds,
                )
            )
        self._wait_for(pages)

    def _wait_for(self, pages: dict[str, Callable[[], bool]]) -> None:
        while pages:
            name, ready = pages.popitem()
            if not self._supervisor.wait_until(ready, WEB_SECONDS, name):
                raise CannotStart(f"{name} does not answer: {self._supervisor.last_words(name)}")

    def _claim_port(self) -> None:
        if not port_is_free(self._port):
            raise CannotStart(
                f"Port {self._port} on 127.0.0.1 is taken by another program. Choose another:"
                f" PORT={self._port + 1} make run"
            )

    def _addresses(self, name: str, values: dict[str, str]) -> dict[str, str]:
        ports = {
            WEB.name: self._port,
            LIVE.name: int(values["WARROOM_LIVE_PORT"]),
        }
        if name not in ports:
            return {}
        return {"GRANIAN_HOST": "127.0.0.1", "GRANIAN_PORT": str(ports[name])}

    def _web_answers(self) -> bool:
        return self._status("/healthz") == http.client.OK

    def _is_ready(self) -> bool:
        """Whether the workers have come to work too: asked once a second."""
        if time.monotonic() < self._ask_again_at:
            return False
        self._ask_again_at = time.monotonic() + 1.0
        return self._status("/readyz") == http.client.OK

    def _status(self, path: str) -> int:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=5)
        try:
            connection.request("GET", path)
            return connection.getresponse().status
        except (OSError, http.client.HTTPException):
            return 0
        finally:
            connection.close()

    def _greet(self, said: list[str], seconds: float) -> None:
        logins = [line for line in said if LOGIN.fullmatch(line.strip())]
        for line in said:
            if line not in logins:
                self._console.line("prepare", line)
        address = f"http://127.0.0.1:{self._port}"
        self._console.banner(f"Ready after {seconds:.0f} s. Open {address}/ and log in as")
        self._console.banner("\n".join(f"  {line}" for line in logins))
        self._console.banner("Ctrl-C ends it; the data stays in " + str(self._layout.var))
