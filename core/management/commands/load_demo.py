from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.utils import timezone

from core import registry


class Command(BaseCommand):
    help = (
        "Load the demo fleet, people, rosters, procedures and 30 days of history; what is there"
        " already stays. Example: manage.py load_demo"
    )

    def handle(self, **options: Any) -> None:
        at = timezone.now()
        call_command("load_site", stdout=self.stdout)
        for name, load in registry.demo_loaders.items():
            said = load(at)
            self.stdout.write(f"{name}: {said or 'loaded'}")
        for login in registry.demo_logins:
            self.stdout.write(login)
