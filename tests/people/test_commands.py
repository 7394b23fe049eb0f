from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from people.models import ApiToken, Responsibility, Team, User
from people.operations import tokens
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db


def run(*words: str) -> str:
    out = StringIO()
    call_command(*words, stdout=out)
    return out.getvalue()


def test_bootstrap_prints_the_first_login_and_loads_what_is_shipped() -> None:
    name, _, password = run("bootstrap").strip().partition(" / ")

    assert User.objects.get(username=name).check_password(password)
    assert (Team.objects.count(), Responsibility.objects.count()) == (12, 66)
    with pytest.raises(CommandError):
        run("bootstrap")


def test_create_token_prints_it_last() -> None:
    user = UserFactory.create()

    said = run("create_token", "--user", user.username, "--scopes", "read,respond")

    token = tokens.use(secret=said.split()[-1], at=timezone.now())
    assert token is not None
    assert (token.user, token.scopes) == (user, ["read", "respond"])


def test_create_token_without_scopes_makes_one_that_may_nothing() -> None:
    run("create_token", "--user", UserFactory.create().username, "--scopes", "")

    assert ApiToken.objects.get().scopes == []


@pytest.mark.parametrize("scopes", ["root", "read,root"])
def test_create_token_refuses_unknown_scopes(scopes: str) -> None:
    with pytest.raises(CommandError):
        run("create_token", "--user", UserFactory.create().username, "--scopes", scopes)


def test_create_token_refuses_unknown_people() -> None:
    with pytest.raises(CommandError):
        run("create_token", "--user", "nobody", "--scopes", "read")
