from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from core.errors import Refused
from people.operations import responsibilities, teams, users


class Command(BaseCommand):
    help = (
        "Make the first administrator, the twelve teams and the shipped responsibility matrix; no"
        " demo data. Prints the login once. Example: manage.py bootstrap"
    )

    def handle(self, **options: Any) -> None:
        now = timezone.now()
        teams.ensure_all(at=now)
        responsibilities.load_shipped(at=now)
        try:
            admin, password = users.bootstrap(at=now)
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal
        teams.name_last_resort(user_id=admin.pk, by=None, at=now)
        self.stdout.write(f"{admin.username} / {password}")
