"""The data folder: where everything lies, who may read it, and the one lock on it."""

import errno
import fcntl
import hashlib
import json
import os
import secrets
import shutil
import socket
import stat
import tempfile
from pathlib import Path
from random import SystemRandom

ROOT = Path(__file__).resolve().parents[2]
SOCKET_LIMIT = 107  # bytes in sockaddr_un.sun_path, less the closing NUL
SOCKET_NAME = "/.s.PGSQL.5432.lock"
LEAST_FREE_MB = 300
OWN_PORTS = range(20000, 30000)  # below the kernel's range for outgoing connections


class CannotStart(Exception):
    """One sentence for the person at the terminal: what is wrong, and what to do about it."""


class Layout:
    """One data folder, `$WARROOM_VAR`, and what is kept in it."""

    def __init__(self, var: Path) -> None:
        self.var = var.expanduser().absolute()
        self.run = self.var / "run"
        self.env_file = self.run / "env"
        self.processes_file = self.run / "processes.json"
        self.pgdata = self.var / "postgres"
        self.valkey = self.var / "valkey"
        self._lock: int | None = None

    @classmethod
    def of_environment(cls) -> "Layout":
        return cls(Path(os.environ.get("WARROOM_VAR") or ROOT / "var"))

    def make(self) -> None:
        """Create the folders; explain, in one line, what stands in the way."""
        try:
            for folder in (self.var, self.run, self.valkey):
                folder.mkdir(parents=True, exist_ok=True)
            (self.run / ".probe").write_text("")
            (self.run / ".probe").unlink()
        except OSError as error:
            raise CannotStart(explain(error, self.var)) from error
        free = shutil.disk_usage(self.var).free // 2**20
        if free < LEAST_FREE_MB:
            raise CannotStart(
                f"Only {free} MB are free where {self.var} lies; {LEAST_FREE_MB} MB are the least."
                " Free some, or choose another folder with WARROOM_VAR."
            )

    def lock(self) -> None:
        """
        Make sure that nobody else runs on this folder.

        The kernel drops the lock with the process, so that there is no stale one.
        """
        path = self.run / "lock"
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.read(handle, 100).decode() or "another process"
            os.close(handle)
            raise CannotStart(
                f"War Room already runs on {self.var} ({holder}). Stop it first, or start a"
                " second one beside it with another WARROOM_VAR and PORT."
            ) from error
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"process {os.getpid()}".encode(), 0)
        self._lock = handle

    def unlock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def socket_folder(self) -> Path:
        """Where PostgreSQL's socket lies: inside the data folder unless its path is too long."""
        inside = self.run / "pg"
        if len(os.fsencode(f"{inside}{SOCKET_NAME}")) <= SOCKET_LIMIT:
            return inside
        digest = hashlib.sha256(os.fsencode(self.var)).hexdigest()[:10]
        return Path(tempfile.gettempdir()) / f"warroom-{os.getuid()}-{digest}"

    def secret_key(self) -> str:
        path = self.var / "secret_key"
        if not path.exists():
            write_private(path, secrets.token_urlsafe(50) + "\n")
        return path.read_text().strip()

    def kept(self) -> dict[str, str]:
        """Ports and the broker's password: made once, so that they are stable over restarts."""
        path = self.var / "kept.json"
        try:
            values: dict[str, str] = json.loads(path.read_text())
        except (FileNotFoundError, ValueError):
            values = {}
        values.setdefault("valkey_password", secrets.token_hex(16))
        for name in ("valkey_port", "live_port"):
            if name not in values or not port_is_free(int(values[name])):
                values[name] = str(free_port())
        write_private(path, json.dumps(values, indent=1) + "\n")
        return values

    def write_env(self, values: dict[str, str]) -> None:
        lines = "".join(f"{key}={value}\n" for key, value in values.items())
        write_private(self.env_file, lines)


def explain(error: OSError, path: Path) -> str:
    where = error.filename or path
    if error.errno in {errno.EACCES, errno.EPERM}:
        return (
            f"{where} may not be written by this user: it may belong to another one that started"
            f" the product before. Give it over (chown -R), or choose a folder with WARROOM_VAR."
        )
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return f"The disk under {path} is full. Free some space, then start again."
    return f"{where}: {error.strerror}."


def write_private(path: Path, text: str) -> None:
    """Replace the file at once, readable by its owner only, also while others read it."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w") as file:
        file.write(text)
    draft.replace(path)


def private_folder(path: Path, uid: int, gid: int) -> None:
    """Make `path` a folder of mode 0700 of that user; never trust what lies there already."""
    path.mkdir(mode=0o700, exist_ok=True)
    facts = path.lstat()
    ours = facts.st_uid in {uid, os.getuid()}
    if not stat.S_ISDIR(facts.st_mode) or not (ours or os.getuid() == 0):
        raise CannotStart(f"{path} belongs to somebody else; remove it, or set TMPDIR.")
    if os.getuid() == 0 and facts.st_uid != uid:
        os.chown(path, uid, gid, follow_symlinks=False)
    path.chmod(0o700)


def port_is_free(port: int, host: str = "127.0.0.1") -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def free_port() -> int:
    for port in SystemRandom().sample(OWN_PORTS, 200):
        if port_is_free(port):
            return port
    raise CannotStart("No free port between 20000 and 30000 on 127.0.0.1.")
