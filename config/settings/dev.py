"""For work on the code: no manifest, tracebacks on, gallery on."""

from config.settings.base import *
from config.settings.logging import *
from config.settings.web import *
from config.settings.web import STORAGES

DEBUG = True
WHITENOISE_USE_FINDERS = True
STORAGES = {
    **STORAGES,
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
