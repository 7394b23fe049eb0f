"""
The processes of the product, once: the supervisor and docker-compose.yml start these commands.

Host, port and addresses come from the environment (GRANIAN_HOST, GRANIAN_PORT, DATABASE_URL …), so
that one command is right everywhere.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Process:
    name: str
    command: tuple[str, ...]
    grace_seconds: float = 4.0
    """How long it may take to end before it is killed."""
    environment: dict[str, str] = field(default_factory=dict)


def _granian(interface: str, application: str, *options: str) -> tuple[str, ...]:
    return (
        "granian",
        *("--interface", interface, "--workers", "1", "--no-ws"),
        *("--workers-kill-timeout", "2", "--log-level", "warning"),
        *options,
        application,
    )


def _worker(queue: str, threads: int) -> Process:
    return Process(
        name=f"worker-{queue}",
        command=(
            *("celery", "--quiet", "--app", "config.celery:app", "worker", "--queues", queue),
            *("--pool", "threads", "--concurrency", str(threads), "--hostname", f"{queue}@%h"),
            *("--without-gossip", "--without-mingle", "--without-heartbeat"),
            *("--loglevel", "WARNING"),
        ),
    )


WEB = Process(
    name="web",
    command=_granian(
        "wsgi", "config.wsgi:application", "--blocking-threads", "6", "--backpressure", "128"
    ),
)
LIVE = Process(
    name="live", command=_granian("asginl", "config.asgi:application", "--backpressure", "4096")
)
BEAT = Process(
    name="beat",
    # Not the persistent scheduler: beat starts slow work only, and its file would be torn by a kill.
    command=(
        *("celery", "--quiet", "--app", "config.celery:app", "beat"),
        *("--scheduler", "celery.beat.Scheduler"),
        *("--pidfile", "", "--loglevel", "WARNING"),
    ),
)
PROCESSES: tuple[Process, ...] = (
    WEB,
    LIVE,
    _worker("intake", 2),
    _worker("deliver", 2),
    _worker("slow", 1),
    BEAT,
)
MIGRATE: tuple[str, ...] = ("python", "-m", "config.stack", "migrate")
"""Tables, roles and the first admin: once before the processes start."""
