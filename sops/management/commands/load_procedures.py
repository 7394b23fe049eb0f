from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from sops.operations import procedures


class Command(BaseCommand):
    help = "Publish the shipped procedures that changed. Example: manage.py load_procedures"

    def handle(self, **options: Any) -> None:
        published = procedures.load_shipped(at=timezone.now())
        names = ", ".join(str(version) for version in published)
        self.stdout.write(
            self.style.SUCCESS(
                f"{len(published)} procedures published{': ' if names else ''}{names}"
            )
        )
