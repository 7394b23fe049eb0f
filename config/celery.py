"""Workers: celery -A config.celery worker -Q intake|deliver|slow -P threads."""

import os
import threading
from typing import Any

from celery import Celery
from celery.signals import worker_ready

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.prod")
app = Celery("warroom")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["worker"].add("core.sweep:Sweep")


@worker_ready.connect
def warm_up(sender: Any, **_: Any) -> None:
    """The fleet is read before the first storm, not by it: that takes a second or more."""
    if "intake" in sender.app.amqp.queues.consume_from:
        threading.Thread(target=_warm, name="warm-up", daemon=True).start()


def _warm() -> None:
    from alerts.tasks import warm  # noqa: PLC0415  (Django is not set up when this file loads)

    warm()
