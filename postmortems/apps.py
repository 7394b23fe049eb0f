from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PostmortemsConfig(AppConfig):
    name = "postmortems"
    verbose_name = _("Postmortems")

    def ready(self) -> None:
        from postmortems import handlers  # noqa: F401, PLC0415
