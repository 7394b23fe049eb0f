from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from alerts.adapters import streams
from alerts.management import player


class Command(BaseCommand):
    help = (
        "Send the storm of a failed hyperplane (2,490 distinct alerts in 5 minutes) through the"
        " real hooks, so that a room opens and fills. Example: manage.py storm --speed 10"
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--speed", type=float, default=1.0, help="times faster than written")
        parser.add_argument("--base", default="", help="address of the product; default: this one")
        parser.add_argument("--key", default="", help="key of an alertmanager source; default: own")

    def handle(self, *, speed: float, base: str, key: str, **options: Any) -> None:
        if speed <= 0:
            raise CommandError("--speed is a number above 0")
        stream, now = streams.load(streams.find("d_")), timezone.now()
        key = key or player.key_for("storm", at=now)
        posts, alerts = player.play(
            stream, base=base, key=key, speed=speed, now=now, say=self.stdout.write
        )
        self.stdout.write(f"storm sent: {posts} posts, {alerts:,} alerts accepted")
