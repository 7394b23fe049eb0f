from typing import Any

from django.core.management.base import BaseCommand, CommandError

from core import registry


class Command(BaseCommand):
    help = "Look for rows that contradict each other. Example: manage.py check_integrity"

    def handle(self, **options: Any) -> None:
        wrong = [
            f"{name}: {text}" for name, check in registry.integrity.items() for text in check()
        ]
        if wrong:
            raise CommandError("\n".join(wrong))
        self.stdout.write(f"{len(registry.integrity.items())} checks, nothing wrong")
