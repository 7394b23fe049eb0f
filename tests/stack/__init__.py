import subprocess
import sys
from pathlib import Path

from config.stack.layout import ROOT
from config.stack.running import Stack

TINY = ("-m", "tests.stack.tiny")


def tiny_stack(var: Path) -> Stack:
    return Stack(var, arguments=TINY)


def beside_databases(var: Path, *command: str) -> "subprocess.CompletedProcess[str]":
    """Run `command` on the data folder `var`, both outputs in `stdout`."""
    return run_stack("exec", "--careless", "--verbose", "--var", str(var), "--", *command)


def run_stack(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "config.stack", *arguments],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", "HOME": "/nonexistent"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
