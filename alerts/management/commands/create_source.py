from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from alerts.operations import sources
from alerts.states import SourceKind
from core.errors import Refused


class Command(BaseCommand):
    help = (
        "Make an alert source and print its key, which is shown this once."
        " Example: manage.py create_source --kind alertmanager --name am-fabric"
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--kind", required=True, choices=SourceKind.values)
        parser.add_argument("--name", required=True)
        parser.add_argument("--region", default="", help="only this region; default: whole site")
        parser.add_argument("--drill", action="store_true", help="everything it sends is a drill")

    def handle(self, *, kind: str, name: str, region: str, drill: bool, **options: Any) -> None:
        try:
            source, key = sources.create(
                kind=kind, name=name, region=region, is_drill=drill, by=None, at=timezone.now()
            )
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(
            f"source {source.pk} {source.name} posts to /hooks/{kind}/<key>; key: {key}"
        )
