from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RecoveryConfig(AppConfig):
    name = "recovery"
    verbose_name = _("Recovery")

    def ready(self) -> None:
        from recovery import handlers  # noqa: F401, PLC0415
