"""The set-up runs on a bare Python."""

import subprocess
import sys

from config.stack.layout import ROOT


def test_the_supervisor_needs_nothing_but_the_standard_library() -> None:
    done = subprocess.run(
        [sys.executable, "-S", "-m", "config.stack", "--help"],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert "setup" in done.stdout
