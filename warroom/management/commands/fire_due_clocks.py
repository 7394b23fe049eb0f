from argparse import ArgumentParser, RawDescriptionHelpFormatter
from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from warroom.models import ClockStep
from warroom.operations import clocks


class Command(BaseCommand):
    help = (
        "Fire clocks that are due: what the sweep does every second, by hand.\n\n"
        "  manage.py fire_due_clocks --at 2026-03-02T09:10:00+08:00 --dry-run"
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.formatter_class = RawDescriptionHelpFormatter
        parser.add_argument(
            "--at", type=datetime.fromisoformat, help="ISO 8601 with offset; default: now"
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="list what would fire, change nothing"
        )

    def handle(self, *, at: datetime | None, dry_run: bool, **options: Any) -> None:
        if at is not None and at.tzinfo is None:
            raise CommandError("--at needs an offset, as in 2026-03-02T09:10:00+08:00")
        at = at or timezone.now()
        if dry_run:
            for step in ClockStep.objects.due(at).order_by("due_at", "pk"):
                self.stdout.write(f"{step.due_at.isoformat()} {step}")
            return
        self.stdout.write(self.style.SUCCESS(f"{clocks.fire_due(at=at)} fired"))
