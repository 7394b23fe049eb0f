from django.urls import path

from core.web import health, live

urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", health.metrics, name="metrics"),
    path("live/stream", live.stream, name="live-stream"),
    path("live/changes", live.changes, name="live-changes"),
]
