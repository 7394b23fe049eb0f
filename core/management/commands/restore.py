from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from core.management.commands._postgres import run


class Command(BaseCommand):
    help = (
        "Put a backup in place of what is there; needs --replace. Stop the workers first."
        " Example: manage.py restore /backup/warroom.dump --replace"
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--replace", action="store_true", help="what is there now is lost")

    def handle(self, *, file: Path, replace: bool, **options: Any) -> None:
        if not file.exists():
            raise CommandError(f"{file} does not exist")
        if not replace:
            raise CommandError("This replaces everything that is there; say --replace to do it.")
        connection.close()
        run(
            "pg_restore",
            "--clean",
            "--if-exists",
            "--no-owner",
            "--exit-on-error",
            "--single-transaction",
            str(file),
        )
        call_command("grant_roles", stdout=self.stdout)
        self.stdout.write(f"{file} restored")
