"""What the person at the terminal reads: one prefix a process, secrets masked."""

import re
import sys
from collections.abc import Iterable

MASK = "***"
SECRETS = [
    (
        re.compile(r"(/hooks/(?!receipts/)[a-z0-9_-]+/)(?!v2/|event/|alert\b)[^\s/?\"']+"),
        rf"\1{MASK}",
    ),
    (
        re.compile(
            r"(?i)\b(authorization['\"]?\s*[:=]\s*['\"]?(?:bearer|key|basic|token)\s+)[^\s'\",]+"
        ),
        rf"\1{MASK}",
    ),
    (
        re.compile(
            r"(?i)([?&](?:key|token|sig|signature|integration_key|routing_key|secret)=)[^&\s\"']+"
        ),
        rf"\1{MASK}",
    ),
    (re.compile(r"(/(?:s|signed|l)/)[A-Za-z0-9_:=.-]{20,}"), rf"\1{MASK}"),
    (re.compile(r"([a-z]+://[^\s:/@]*:)[^\s@/]+@"), rf"\1{MASK}@"),
]
NOISE = (
    "the database system is starting up",  # our own question whether it is ready
    "Memory overcommit must be enabled",  # matters to a Valkey that saves; ours does not
    "Reading config from stdin",
    'background worker "logical replication',
    "aborting any active transactions",
    "starting PostgreSQL",
    "signal-handler",
    "Service Unavailable: /readyz",
    # Celery, when we are root; as a plain user it says nothing.
    "SecurityWarning: You're running the worker with superuser",
    "absolutely not recommended!",
    "Please specify a different user using the --uid option",
    "User information: uid=",
    "_warn_or_raise_security_error",
    "Configuration allows spawning up to",  # granian counts threads that wait for the database
    "Valkey is now ready to exit",
)
COLOURS = [36, 32, 35, 33, 34, 96, 92, 95]


def mask(text: str) -> str:
    for pattern, replacement in SECRETS:
        text = pattern.sub(replacement, text)
    return text


class Console:
    """Writes prefixed lines; colours them on a terminal only."""

    def __init__(self, names: Iterable[str] = (), *, quiet: bool = False) -> None:
        known = ["warroom", *names]
        self._colours = {name: COLOURS[i % len(COLOURS)] for i, name in enumerate(known)}
        self._width = max(len(name) for name in known)
        self._coloured = sys.stdout.isatty()
        self._quiet = quiet

    def line(self, name: str, text: str) -> None:
        """Pass on what a process said."""
        if self._quiet or any(noise in text for noise in NOISE):
            return
        self._write(name, mask(text.rstrip()))

    def say(self, text: str) -> None:
        """Say something as the supervisor."""
        if not self._quiet:
            self._write("warroom", text)

    def complain(self, text: str) -> None:
        """Say why the work cannot be done; also when quiet."""
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()

    def banner(self, text: str) -> None:
        """What must not be masked: the address, and how to log in."""
        for line in text.splitlines():
            self.say(line)

    def _write(self, name: str, text: str) -> None:
        prefix = f"{name:<{self._width}} |"
        if self._coloured:
            prefix = f"\x1b[{self._colours.get(name, 37)}m{prefix}\x1b[0m"
        try:
            sys.stdout.write(f"{prefix} {text}\n")
            sys.stdout.flush()
        except OSError:
            self._quiet = True  # the reader of our output is gone; the product goes on
