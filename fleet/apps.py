from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class FleetConfig(AppConfig):
    name = "fleet"
    verbose_name = _("Fleet")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        import_module("fleet.handlers")
