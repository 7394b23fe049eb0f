from django.urls import path

from core.web import gallery, health, language, live, pulse

urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", health.metrics, name="metrics"),
    path("live/stream", live.stream, name="live-stream"),
    path("live/changes", live.changes, name="live-changes"),
    path("pulse/", pulse.pulse, name="pulse"),
    path("language/", language.switch, name="language"),
    path("components/", gallery.components, name="components"),
    path("components/panel/", gallery.panel, name="components-panel"),
    path("components/refused/", gallery.refused, name="components-refused"),
    path("components/done/", gallery.done, name="components-done"),
]
