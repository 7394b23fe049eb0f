"""A site with its people, its rosters, its matrix and the six failure classes."""

from datetime import datetime
from typing import Any

import pytest

from fleet.models import FailureClass
from people.models import User
from people.operations import demo
from people.queries import on_duty
from tests.factories import NINE_OCLOCK
from tests.factories.warroom import AlertGroupFactory
from warroom.models import Incident
from warroom.operations import actions, incidents

CLASSES = {
    "TLF": "Training launch failure",
    "PSD": "Sudden performance drop",
    "NHG": "Node hang",
    "NCR": "Node crash",
    "NIN": "Network interruption",
    "DRV": "Driver or chip fault",
}


def load_site(at: datetime = NINE_OCLOCK) -> None:
    FailureClass.objects.bulk_create(
        [
            FailureClass(
                code=code,
                order=order,
                name_en=name,
                name_zh="驱动/芯片异常" if code == "DRV" else name,
                description_en=name,
                description_zh=name,
            )
            for order, (code, name) in enumerate(CLASSES.items())
        ],
        ignore_conflicts=True,
    )
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


def opened(at: datetime = NINE_OCLOCK, **group: Any) -> Incident:
    """An incident that an alert group opened."""
    incident = incidents.follow_group(group_id=AlertGroupFactory.create(**group).pk, at=at)
    assert incident is not None
    return incident


def take(incident: Incident, action: str, by: User, at: datetime, **data: Any) -> Incident:
    return actions.take(number=incident.number, action=action, data=data, by=by, at=at)
