from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from alerts.adapters import streams
from alerts.adapters.base import MalformedPayload
from alerts.management import player


class Command(BaseCommand):
    help = (
        "Post a stored alert stream to the running product, its instants moved to now."
        " Example: manage.py replay c --speed 30"
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="a stream file, or the letter of a shipped one (a to h)")
        parser.add_argument("--speed", type=float, default=1.0, help="times faster than written")
        parser.add_argument("--base", default="", help="address of the product; default: this one")
        parser.add_argument("--key", default="", help="key of an alertmanager source; default: own")

    def handle(self, *, file: str, speed: float, base: str, key: str, **options: Any) -> None:
        try:
            stream = streams.load(streams.find(file))
        except FileNotFoundError as missing:
            raise CommandError(f"there is no stream {file}") from missing
        except MalformedPayload as problem:
            raise CommandError(str(problem)) from problem
        if speed <= 0:
            raise CommandError("--speed is a number above 0")
        now = timezone.now()
        key = key or player.key_for("replay", at=now)
        posts, alerts = player.play(
            stream, base=base, key=key, speed=speed, now=now, say=self.stdout.write
        )
        self.stdout.write(f"replayed {file}: {posts} posts, {alerts:,} alerts accepted")
