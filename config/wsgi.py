"""Requests: granian --interface wsgi config.wsgi:application."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.prod")
django_application = get_wsgi_application()

from alerts.web.hooks import short_cut  # noqa: E402  (needs Django to be set up)

# Posts of senders go past the middlewares: a seventh of the CPU.
application = short_cut(django_application)
