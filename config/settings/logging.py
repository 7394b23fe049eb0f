"""Logs: one readable line an event; ids, never bodies; hook keys and signed links masked."""

from typing import Any

import structlog

from config.settings.base import env

LOG_JSON = env.bool("WARROOM_LOG_JSON", False)
_shared: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="%H:%M:%S", utc=False),
    structlog.processors.format_exc_info,
]
_renderer: Any = (
    structlog.processors.JSONRenderer() if LOG_JSON else structlog.dev.ConsoleRenderer(colors=False)
)
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "plain": {
            "()": structlog.stdlib.ProcessorFormatter,
            "processor": _renderer,
            "foreign_pre_chain": _shared,
        }
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "plain"}},
    "root": {"handlers": ["console"], "level": env.str("WARROOM_LOG_LEVEL", "INFO")},
    "loggers": {
        "django.request": {"level": "ERROR"},
        "django.server": {"level": "WARNING"},
        "celery": {"level": "WARNING"},
        "httpx": {"level": "WARNING"},
    },
}
structlog.configure(
    processors=[*_shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
    logger_factory=structlog.stdlib.LoggerFactory(),
    cache_logger_on_first_use=True,
)
