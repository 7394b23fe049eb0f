"""PostgreSQL's data folder: what can be wrong with it, and what is done about it."""

import os
import pwd
import shutil
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from config.stack.layout import CannotStart

MAJOR = "18"
FIRST_USER_OID = 16384
LEFTOVER_SECONDS = 15.0


def heal(data: Path) -> str:
    """
    Move a half-written folder out of the way, and return what was done, as a sentence.

    :raises CannotStart: when the folder is damaged and holds, or may hold, somebody's data.
    """
    if not data.exists():
        return ""
    version = data / "PG_VERSION"
    whole = version.exists() and (data / "global" / "pg_control").exists()
    if whole:
        found = version.read_text().strip()
        if found == MAJOR:
            return ""
        raise CannotStart(
            f"{data} was written by PostgreSQL {found}; this product brings {MAJOR}. Restore a"
            " backup into an empty WARROOM_VAR (docs/operations.md, Upgrading)."
        )
    if _holds_databases(data):
        raise CannotStart(
            f"{data} is damaged (PG_VERSION or global/pg_control is missing) but still holds data."
            " Nothing was touched: move it away and restore a backup (docs/operations.md)."
        )
    aside = data.with_name(f"{data.name}.broken-{int(time.time())}")
    data.rename(aside)
    return f"The database folder was half-written (an interrupted first start): moved to {aside}."


def _holds_databases(data: Path) -> bool:
    base = data / "base"
    if not base.is_dir():
        return False
    return any(p.name.isdigit() and int(p.name) >= FIRST_USER_OID for p in base.iterdir())


def give_to(data: Path, user: pwd.struct_passwd) -> bool:
    """Hand the folder over to the user PostgreSQL runs as; true when it was somebody else's."""
    if data.stat().st_uid == user.pw_uid:
        return False
    for path in [data, *data.rglob("*")]:
        os.chown(path, user.pw_uid, user.pw_gid, follow_symlinks=False)
    return True


def clear_leftovers(data: Path) -> str:
    """
    End what an earlier, killed supervisor left running on `data`, and drop a stale pid file.

    PostgreSQL believes a pid file whose number belongs to any process of the same user, so it is
    we who look: a server of this folder has it as its working directory.
    """
    said = ""
    left = list(_processes_in(data))
    if left:
        said = f"A PostgreSQL of an earlier run was still there ({len(left)} processes): ended."
        _end(data, left)
    pid_file = data / "postmaster.pid"
    if pid_file.exists():
        pid_file.unlink()
        said = said or "Removed the stale postmaster.pid of an earlier run."
    return said


def _end(data: Path, pids: list[int]) -> None:
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL):
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, number)
        deadline = time.monotonic() + LEFTOVER_SECONDS / 3
        while time.monotonic() < deadline:
            pids = list(_processes_in(data))
            if not pids:
                return
            time.sleep(0.05)
    raise CannotStart(f"A PostgreSQL on {data} does not end: processes {pids}.")


def _processes_in(data: Path) -> Iterator[int]:
    place = data.resolve()
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        with suppress(OSError):
            if (
                (entry / "cwd").readlink() == place
                and (entry / "exe").readlink().name == "postgres"
                and "Z" not in (entry / "stat").read_text().rpartition(")")[2].split()[0]
            ):
                yield int(entry.name)


def discard(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
