from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from core.errors import Refused
from people.models import User
from people.operations import tokens
from people.states import Scope


class Command(BaseCommand):
    help = (
        "Make an API token; it is the last word of the output and is kept nowhere."
        " Example: manage.py create_token --user admin --scopes read,respond"
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--user", required=True, help="login name of its owner")
        parser.add_argument(
            "--scopes",
            required=True,
            help=f"comma-separated: {', '.join(Scope.values)}; '' for none",
        )
        parser.add_argument("--name", default="command line", help="what it is for")

    def handle(self, *, user: str, scopes: str, name: str, **options: Any) -> None:
        owner = User.objects.active().filter(username=user).first()
        if owner is None:
            raise CommandError(f"There is no active user {user!r}.")
        wanted = [scope for scope in scopes.replace(",", " ").split() if scope]
        try:
            token, secret = tokens.create(
                user_id=owner.pk, name=name, scopes=wanted, by=None, at=timezone.now()
            )
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal
        said = ", ".join(token.scopes) or "no scopes"
        self.stdout.write(f"Token {token.pk} of {owner.username} ({said}): {secret}")
