"""What every environment shares. Whatever differs is read from env here, once and typed."""

from pathlib import Path
from typing import Any

import django_stubs_ext
import environ
from celery.schedules import crontab
from django.utils.translation import gettext_lazy as _

django_stubs_ext.monkeypatch()
env = environ.Env()
BASE_DIR = Path(__file__).resolve().parents[2]

SECRET_KEY = env.str("SECRET_KEY")
DATABASES: dict[str, Any] = {"default": env.db("DATABASE_URL")}
DATABASES["default"].setdefault("OPTIONS", {})
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
REDIS_URL = env.str("REDIS_URL")

AUTH_USER_MODEL = "people.User"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "login"

# Times are stored in UTC; a site's days begin at midnight of SITE_ZONE; pages show the viewer's zone.
USE_TZ = True
TIME_ZONE = "UTC"
SITE_ZONE = env.str("WARROOM_ZONE", "Asia/Shanghai")
SITE_NAME = env.str("WARROOM_NAME", "War Room")
# Demo and tests only: 60 makes a minute of the policies one second. Shown in a banner.
CLOCK_SCALE = env.float("WARROOM_CLOCK_SCALE", 1.0)
DEMO = env.bool("WARROOM_DEMO", True)
MAX_BODY_MB = env.int("WARROOM_MAX_BODY_MB", 32)
# Where the stream of changes is served; empty: the same origin (behind the reverse proxy).
LIVE_URL = env.str("WARROOM_LIVE_URL", "")
BASE_URL = env.str("WARROOM_BASE_URL", "http://127.0.0.1:" + env.str("PORT", "8000"))
HEARTBEAT_URL = env.str("WARROOM_HEARTBEAT_URL", "")
OUTGOING_ALLOWED = env.list("WARROOM_OUTGOING_ALLOWED", default=[])

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("zh-hans", _("Simplified Chinese"))]
USE_I18N = True

# Lowest layer first. An app imports only from apps to its left (pyproject.toml, importlinter).
LOCAL_APPS = [
    "core",
    "fleet",
    "people",
    "notifications",
    "alerts",
    "warroom",
    "sops",
    "recovery",
    "postmortems",
]
LOCALE_PATHS = [BASE_DIR / "locale" / app for app in LOCAL_APPS]
THIRD_PARTY_APPS = [
    "django_htmx",
    "django_linear_migrations",
    "django_filters",
    "template_partials",
    "csp",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
]
DJANGO_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
]
INSTALLED_APPS = [*LOCAL_APPS, *DJANGO_APPS, *THIRD_PARTY_APPS]

EMAIL_CONFIG = env.email_url("EMAIL_URL", default="dummymail://")
vars().update(EMAIL_CONFIG)
EMAIL_TIMEOUT = 15
DEFAULT_FROM_EMAIL = env.str("WARROOM_MAIL_FROM", "warroom@localhost")

# Beat only schedules slow work. A deadline is a row, fired by the sweep (core/sweep.py).
CELERY_BROKER_URL = REDIS_URL
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_DEFAULT_QUEUE = "slow"
CELERY_TASK_ROUTES = {
    "alerts.tasks.*": {"queue": "intake"},
    "core.tasks.dispatch_events": {"queue": "intake"},
    "notifications.tasks.*": {"queue": "deliver"},
}
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_SEND_TASK_EVENTS = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
# A nudge must never hold up a request while the broker is away: give up at once, the sweep finds the row.
CELERY_TASK_PUBLISH_RETRY = False
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "socket_connect_timeout": 0.5,
    "socket_timeout": 5,
    "retry_on_timeout": False,
    "max_retries": 0,
}
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE = {
    "tidy up": {"task": "core.tasks.tidy", "schedule": crontab(minute=41)},
}
