"""`exec`: a command beside databases that live as long as it does."""

import signal
import subprocess
import sys
import time
from pathlib import Path

from config.stack.layout import ROOT
from tests.stack import beside_databases, run_stack


def test_the_exit_code_of_the_command_is_ours(tmp_path: Path) -> None:
    assert beside_databases(tmp_path, "sh", "-c", "exit 7").returncode == 7


def test_a_command_that_does_not_exist_is_named(tmp_path: Path) -> None:
    done = beside_databases(tmp_path, "no-such-command")

    assert done.returncode == 127
    assert "no-such-command: No such file or directory" in done.stdout


def test_a_folder_of_our_own_is_gone_afterwards() -> None:
    done = run_stack(
        "exec", "--careless", "--", "sh", "-c", 'echo "$WARROOM_VAR"; ls "$WARROOM_VAR"'
    )

    folder, *content = done.stdout.split()
    assert "postgres" in content
    assert not Path(folder).exists()


def test_term_ends_the_command_and_the_databases(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "config.stack", "exec", "--careless"),
            *("--var", str(tmp_path), "--", "sleep", "60"),
        ],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin"},
    )
    while not (tmp_path / "run" / "env").exists():
        time.sleep(0.05)

    process.send_signal(signal.SIGTERM)

    assert process.wait(10) == 128 + signal.SIGTERM
    assert not (tmp_path / "postgres" / "postmaster.pid").exists()
