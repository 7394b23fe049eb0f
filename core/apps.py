from django.apps import AppConfig


class CoreConfig(AppConfig):
    name = "core"
    verbose_name = "How the parts talk"

    def ready(self) -> None:
        from core import handlers  # noqa: F401, PLC0415
