from importlib import import_module

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SopsConfig(AppConfig):
    name = "sops"
    verbose_name = _("SOPs")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        import_module("sops.handlers")
