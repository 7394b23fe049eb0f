import pytest
from django.db import transaction
from pytest_django import DjangoCaptureOnCommitCallbacks

from core import live
from core.operations.live import announce

pytestmark = pytest.mark.django_db


def test_the_topics_of_one_transaction_are_told_once_each_after_it(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    with django_capture_on_commit_callbacks(execute=True) as callbacks, transaction.atomic():
        announce("board", "incident-1")
        announce("board")

    assert len(callbacks) == 1
    versions = live.versions(["board", "incident-1", "never"])
    assert versions is not None
    assert versions["board"] > 0
    assert versions["never"] == 0


def test_what_a_rolled_back_savepoint_announced_is_not_told(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    with django_capture_on_commit_callbacks() as callbacks:
        announce("board")
        with transaction.atomic():
            announce("incident-rolled-back")
            transaction.set_rollback(True)

    assert [sorted(one.topics) for one in callbacks] == [["board"]]  # type: ignore[attr-defined]
