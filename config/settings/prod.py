"""The product as it runs."""

from config.settings.base import *
from config.settings.base import DATABASES, env
from config.settings.logging import *
from config.settings.web import *

DEBUG = False
# One pool per process; an open stream holds none of it (core/web/live.py).
DATABASES["default"]["OPTIONS"]["pool"] = {
    "min_size": 1,
    "max_size": env.int("WARROOM_DB_POOL", 8),
    "timeout": 10,
    "max_idle": 60,
}
SECURE_CONTENT_TYPE_NOSNIFF = True
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = env.bool("WARROOM_TLS", False)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if SESSION_COOKIE_SECURE else None
SECURE_HSTS_SECONDS = 31536000 if SESSION_COOKIE_SECURE else 0
# Plain HTTP on an intranet address is a supported way to run; the compose file serves TLS.
SILENCED_SYSTEM_CHECKS = ["security.W004", "security.W008", "security.W012", "security.W016"]
