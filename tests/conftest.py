"""What every test stands on: the real database with both roles, and a sealed network."""

from collections.abc import Iterator

import pytest
from django.core.management import call_command
from django.db import connection
from pytest_django import DjangoDbBlocker


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    with django_db_blocker.unblock():
        call_command("grant_roles", verbosity=0)


@pytest.fixture
def as_the_product(db: None) -> Iterator[None]:
    """Act with the rights of the product's own role in place of the owner's."""
    with connection.cursor() as cursor:
        cursor.execute("SET ROLE warroom_app")
    yield
    with connection.cursor() as cursor:
        cursor.execute("RESET ROLE")
