"""What a fresh machine lacks: virtual environment, front-end packages, catalogues, static files."""

import fcntl
import hashlib
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence

from config.stack.layout import ROOT, CannotStart

VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
LEAST_PYTHON = (3, 11)
NO_VENV = (
    "This Python cannot make virtual environments. As root: apt-get install python3-venv"
    " (or python3-pip); then `make run` again."
)
STATIC_VERBS = (
    ("catalogue", "compile"),
    # django_htmx ships a module that imports a file it does not ship; nothing loads the others.
    (
        *("collectstatic", "--noinput", "--verbosity", "0", "--ignore", "django_htmx"),
        *("--ignore", "*.map", "--ignore", "redoc", "--ignore", "rest_framework"),
    ),
)
NO_NPM = "npm is not installed, and the pages need its packages. As root: apt-get install npm"


def set_up(*, development: bool) -> None:
    """Do what is not done yet; a second call takes a fraction of a second."""
    if sys.version_info < LEAST_PYTHON:
        raise CannotStart(f"Python 3.11 or later is needed; this is {sys.version.split()[0]}.")
    with (ROOT / "Makefile").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two products may start from one checkout
        _virtual_environment(development=development)
        _front_end()
        _collect()


def _virtual_environment(*, development: bool) -> None:
    stamp = VENV / "installed"
    wanted = {name: _lock_stamp(name) for name in ("base", "dev")}
    have = stamp.read_text().split() if stamp.exists() and PYTHON.exists() else []
    if wanted["dev"] in have or (wanted["base"] in have and not development):
        return
    name = "dev" if development else "base"
    if not _works():
        _make_venv()
    _say(f"Installing the packages of requirements/{name}.txt …")
    _run(
        [
            *(str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"),
            *("--require-hashes", "--requirement", f"requirements/{name}.txt"),
        ],
        "The packages could not be installed: is the package index reachable?",
    )
    stamp.write_text(wanted[name] + "\n")


def _lock_stamp(name: str) -> str:
    lock = (ROOT / "requirements" / f"{name}.txt").read_bytes()
    return f"{name}-{sys.version_info[0]}.{sys.version_info[1]}-{_digest([lock])}"


def _works() -> bool:
    if not PYTHON.exists():
        return False
    done = subprocess.run([str(PYTHON), "-m", "pip", "--version"], capture_output=True, check=False)
    return done.returncode == 0


def _make_venv() -> None:
    _say("Making .venv …")
    plain = subprocess.run(
        [sys.executable, "-m", "venv", "--clear", str(VENV)], capture_output=True, check=False
    )
    if plain.returncode == 0:
        return
    # Debian splits ensurepip off into python3-venv; pip itself can do the same work.
    bare = [sys.executable, "-m", "venv", "--clear", "--without-pip", str(VENV)]
    outside = [sys.executable, "-m", "pip", "--python", str(PYTHON), "install", "--quiet", "pip"]
    for command in (bare, outside):
        if subprocess.run(command, capture_output=True, check=False).returncode:
            raise CannotStart(NO_VENV)


def _front_end() -> None:
    lock = ROOT / "package-lock.json"
    stamp = ROOT / "node_modules" / ".installed"
    if not lock.exists():
        return
    wanted = _digest([lock.read_bytes()])
    if stamp.exists() and stamp.read_text() == wanted:
        return
    _say("Installing the front-end packages (npm ci) …")
    try:
        _run(
            ["npm", "ci", "--no-audit", "--no-fund", "--loglevel", "error"],
            "npm ci failed: is the npm registry reachable?",
        )
    except FileNotFoundError as error:
        raise CannotStart(NO_NPM) from error
    stamp.write_text(wanted)


def _collect() -> None:
    """Compile the catalogues and gather the static files, when one of their sources changed."""
    stamp = ROOT / "staticfiles" / ".collected"
    wanted = _digest(_facts())
    if stamp.exists() and stamp.read_text() == wanted:
        return
    _say("Compiling catalogues and collecting static files …")
    for verb in STATIC_VERBS:
        _run([str(PYTHON), "manage.py", *verb], f"manage.py {verb[0]} failed.", _no_database())
    stamp.parent.mkdir(exist_ok=True)
    stamp.write_text(wanted)


def _facts() -> Iterable[bytes]:
    """Names, sizes and times of everything the catalogues and static files are made of."""
    yield (VENV / "installed").read_bytes()
    for name in ("package-lock.json", "config/staticfiles.py", "config/settings/static.py"):
        path = ROOT / name
        yield path.read_bytes() if path.exists() else b""
    for folder, pattern in (("static", "*"), ("locale", "*.po")):
        for path in sorted((ROOT / folder).rglob(pattern)):
            facts = path.stat()
            yield f"{path} {facts.st_size} {facts.st_mtime_ns}".encode()


def _no_database() -> dict[str, str]:
    """Settings have no defaults; these verbs connect to nothing."""
    nowhere = {
        "SECRET_KEY": "set-up",
        "DATABASE_URL": "postgres://nobody@127.0.0.1:1/none",
        "REDIS_URL": "redis://127.0.0.1:1/0",
        "DJANGO_SETTINGS_MODULE": "config.settings.prod",
    }
    return os.environ | nowhere


def _run(command: Sequence[str], complaint: str, environment: dict[str, str] | None = None) -> None:
    done = subprocess.run(list(command), cwd=ROOT, check=False, env=environment)
    if done.returncode:
        raise CannotStart(complaint)


def _digest(parts: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
    return digest.hexdigest()[:24]


def _say(text: str) -> None:
    print(f"[{time.strftime('%H:%M:%S')}] {text}", flush=True)
