"""Whoever loads settings also gets the configured Celery app as the one that `.delay()` uses."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
