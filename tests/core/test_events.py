from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from core import registry
from core.models import Event
from core.operations import events

pytestmark = pytest.mark.django_db


class Listener:
    def __init__(self) -> None:
        self.heard: list[dict[str, Any]] = []
        self.broken = False

    def __call__(self, **ids: Any) -> None:
        if self.broken:
            raise RuntimeError("handler is broken")
        self.heard.append(ids)


@pytest.fixture
def listener() -> Iterator[Listener]:
    one = Listener()
    registry.on_event("something_tested")(one)
    yield one
    registry._event_handlers.pop("something_tested")


def test_an_event_reaches_its_handlers_once(listener: Listener) -> None:
    events.publish(kind="something_tested", thing_id=7)

    events.dispatch_due(at=timezone.now())
    events.dispatch_due(at=timezone.now())

    assert listener.heard == [{"thing_id": 7}]


def test_an_event_of_a_change_that_rolls_back_is_never_told(listener: Listener) -> None:
    with transaction.atomic():
        events.publish(kind="something_tested", thing_id=7)
        transaction.set_rollback(True)

    assert events.dispatch_due(at=timezone.now()) == 0
    assert listener.heard == []


def test_many_events_of_one_transaction_nudge_the_dispatcher_once(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    with django_capture_on_commit_callbacks() as callbacks:
        events.publish(kind="nobody_listens", thing_id=1)
        events.publish(kind="nobody_listens", thing_id=2)

    assert len(callbacks) == 1


def test_a_handler_that_fails_is_tried_again_later_and_holds_up_nobody_else(
    listener: Listener,
) -> None:
    now = timezone.now()
    listener.broken = True
    events.publish(kind="something_tested", thing_id=1)
    events.publish(kind="nobody_listens", thing_id=2)

    assert events.dispatch_due(at=now + timedelta(seconds=1)) == 1

    stuck = Event.objects.get(kind="something_tested")
    assert stuck.dispatched_at is None
    assert "handler is broken" in stuck.last_error
    listener.broken = False
    events.dispatch_due(at=now + timedelta(minutes=6))
    assert listener.heard == [{"thing_id": 1}]
