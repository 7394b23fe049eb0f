"""A site with its people, its rosters and its reference tables."""

from datetime import datetime

import pytest

from fleet.operations import reference
from people.models import User
from people.operations import demo
from people.queries import on_duty
from tests.factories import NINE_OCLOCK


def load_site(at: datetime = NINE_OCLOCK) -> None:
    reference.load(at=at)
    demo.load(at)


@pytest.fixture
def site(db: None) -> None:
    load_site()


@pytest.fixture
def sre(site: None) -> User:
    """Who is on duty for SRE at nine o'clock, and so commands."""
    return person("SRE")


def person(domain: str, region: str = "ulanqab", at: datetime = NINE_OCLOCK) -> User:
    user = on_duty(domain, at, region).primary
    assert user is not None
    return user
