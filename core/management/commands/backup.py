from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from core.management.commands._postgres import run


class Command(BaseCommand):
    help = "Write everything to one file, while the product runs. Example: manage.py backup /backup/warroom.dump"

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *, file: Path, **options: Any) -> None:
        run("pg_dump", "--format=custom", "--no-owner", f"--file={file}")
        self.stdout.write(f"{file}: {file.stat().st_size:,} bytes")
