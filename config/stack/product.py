"""From an empty folder to a product that answers, and back."""

import http.client
import os
import socket
import time
from collections.abc import Sequence
from urllib.parse import urlsplit

from config.stack import services
from config.stack.child import Child
from config.stack.console import Console
from config.stack.layout import CannotStart, Layout, port_is_free
from config.stack.supervisor import Stopped, Supervisor
from config.stack.table import LIVE, PROCESSES, WEB, Process

WEB_SECONDS = 90.0
MANAGE = ("python", "manage.py")
# Nothing of the product's own roles may create a table: the owner migrates, then grants.
TABLES: tuple[tuple[str, ...], ...] = (
    (*MANAGE, "migrate", "--noinput", "--verbosity", "0"),
    (*MANAGE, "grant_roles"),
)


def _first_data() -> tuple[str, ...]:
    demo = os.environ.get("WARROOM_DEMO", "1").lower() not in {"0", "false", "no", "off", ""}
    return (*MANAGE, "load_demo" if demo else "bootstrap")


def _listens(values: dict[str, str]) -> bool:
    address = urlsplit(values["WARROOM_LIVE_URL"])
    try:
        with socket.create_connection((address.hostname or "", address.port or 443), timeout=2):
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
        preparation: Sequence[tuple[str, ...]] | None = None,
    ) -> None:
        """`preparation` are the commands that run first; the last one tells how to log in."""
        self._layout = layout
        self._console = console
        self._port = port
        self._processes = processes
        self._preparation = (*TABLES, _first_data()) if preparation is None else preparation
        self._supervisor = Supervisor(layout, console)

    def run(self) -> int:
        """Run until somebody asks for the end; return the exit code."""
        self._supervisor.listen_to_signals()
        began = time.monotonic()
        try:
            self._layout.make()
            self._layout.lock()
            self._up(began)
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
        logins = self._prepare(environment)
        application = {k: v for k, v in environment.items() if k != "DATABASE_OWNER_URL"}
        for process in self._processes:
            own = process.environment | self._addresses(process.name, values)
            self._supervisor.start(
                Child(
                    process.name,
                    process.command,
                    application | own,
                    grace_seconds=process.grace_seconds,
                )
            )
        for name, ready in ((WEB.name, self._web_answers), (LIVE.name, lambda: _listens(values))):
            if not self._supervisor.wait_until(ready, WEB_SECONDS, name):
                raise CannotStart(f"{name} does not answer: {self._supervisor.last_words(name)}")
        self._greet(logins, time.monotonic() - began)

    def _claim_port(self) -> None:
        if not port_is_free(self._port):
            raise CannotStart(
                f"Port {self._port} on 127.0.0.1 is taken by another program. Choose another:"
                f" PORT={self._port + 1} make run"
            )

    def _prepare(self, environment: dict[str, str]) -> list[str]:
        said: list[str] = []
        for command in self._preparation:
            name = command[len(MANAGE)]
            self._console.say(f"{name} …")
            said = self._supervisor.run(name, command, environment)
        return said

    def _addresses(self, name: str, values: dict[str, str]) -> dict[str, str]:
        ports = {
            WEB.name: self._port,
            LIVE.name: int(values["WARROOM_LIVE_URL"].rpartition(":")[2]),
        }
        if name not in ports:
            return {}
        return {"GRANIAN_HOST": "127.0.0.1", "GRANIAN_PORT": str(ports[name])}

    def _web_answers(self) -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=5)
        try:
            connection.request("GET", "/healthz")
            return connection.getresponse().status < http.client.INTERNAL_SERVER_ERROR
        except OSError:
            return False
        finally:
            connection.close()

    def _greet(self, logins: list[str], seconds: float) -> None:
        address = f"http://127.0.0.1:{self._port}"
        self._console.banner(f"Ready after {seconds:.0f} s. Open {address}/ and log in as:")
        self._console.banner("\n".join(f"  {line}" for line in logins))
        self._console.banner("Ctrl-C ends it; the data stays in " + str(self._layout.var))
        (self._layout.run / "ready").write_text(address + "\n")
