from django.apps import AppConfig


class WarroomConfig(AppConfig):
    name = "warroom"
    verbose_name = "What burns now, and who does what"

    def ready(self) -> None:
        from warroom import handlers  # noqa: F401, PLC0415
