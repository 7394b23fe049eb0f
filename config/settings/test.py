"""Speed and sealing, never behaviour: fast hasher, no manifest, no demo."""

import os

os.environ.setdefault("SECRET_KEY", "only-for-tests")
os.environ.setdefault("DATABASE_URL", "postgres://warroom_owner@127.0.0.1:5499/warroom")
os.environ.setdefault("REDIS_URL", "redis://127.0.0.1:6399/0")

from config.settings.base import *
from config.settings.logging import *
from config.settings.web import *
from config.settings.web import STORAGES

DEBUG = False
DEMO = True
ALLOWED_HOSTS = ["*"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    **STORAGES,
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True
CELERY_BROKER_URL = "memory://"
