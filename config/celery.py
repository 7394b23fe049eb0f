"""Workers: celery -A config.celery worker -Q intake|deliver|slow -P threads."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.prod")
app = Celery("warroom")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["worker"].add("core.sweep:Sweep")
