from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from core import registry


class Command(BaseCommand):
    help = (
        "Bring reference tables, teams, matrix, rules and procedures to the shipped versions;"
        " what people changed stays. Runs after each migration. Example: manage.py load_site"
    )

    def handle(self, **options: Any) -> None:
        at = timezone.now()
        for name, load in registry.site_loaders.items():
            said = load(at)
            self.stdout.write(f"{name}: {said or 'loaded'}")
