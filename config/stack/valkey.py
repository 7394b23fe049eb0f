"""Embedded Valkey 9: broker and live bus. Nothing in it is the only copy of anything."""

import signal
import socket
from contextlib import closing

from config.stack import wheels
from config.stack.child import Child
from config.stack.layout import Layout


class Valkey:
    def __init__(self, layout: Layout, *, port: str, password: str) -> None:
        self._folder = layout.valkey
        self._port = port
        self._password = password

    @property
    def url(self) -> str:
        return f"redis://:{self._password}@127.0.0.1:{self._port}/0"

    def child(self, mark: dict[str, str]) -> Child:
        settings = f"""
            bind 127.0.0.1
            port {self._port}
            requirepass {self._password}
            dir "{self._folder}"
            save ""
            appendonly no
            loglevel warning
            databases 4
            """
        return Child(
            "valkey",
            [str(wheels.valkey_server()), "-"],  # settings by stdin: the password is in no `ps`
            {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", **mark},
            stop_signal=signal.SIGTERM,
            grace_seconds=3.0,
            stdin=settings.encode(),
        )

    def answers(self) -> bool:
        try:
            with closing(socket.create_connection(("127.0.0.1", int(self._port)), 1)) as wire:
                wire.sendall(f"AUTH {self._password}\r\nPING\r\n".encode())
                reply = b""
                while reply.count(b"\r\n") < 2:  # one for each command
                    part = wire.recv(100)
                    if not part:
                        return False
                    reply += part
        except OSError:
            return False
        return b"+PONG" in reply
