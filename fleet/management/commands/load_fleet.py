from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from fleet.operations import demo


class Command(BaseCommand):
    help = (
        "Load the demo fleet of 12,288 cards in two regions, with its jobs. "
        "Repeatable. Example: manage.py load_fleet"
    )

    def handle(self, **options: Any) -> None:
        self.stdout.write(self.style.SUCCESS(demo.load(timezone.now())))
