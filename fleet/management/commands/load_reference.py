from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from fleet.operations import reference


class Command(BaseCommand):
    help = (
        "Load the shipped tables: failure classes, event classes, fault codes, indicators. "
        "Repeatable. Example: manage.py load_reference"
    )

    def handle(self, **options: Any) -> None:
        loaded = reference.load(at=timezone.now())
        parts = [f"{one.table} {one.rows}{' (new)' if one.new_version else ''}" for one in loaded]
        self.stdout.write(self.style.SUCCESS("reference: " + ", ".join(parts)))
