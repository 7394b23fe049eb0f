"""Wiring. Loading it makes the configured Celery app the one that `.delay()` uses."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
