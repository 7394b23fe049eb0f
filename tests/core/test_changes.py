import pytest
from django.db import DatabaseError, connection, transaction

from core.models import Change
from core.operations import changes
from tests.factories import NINE_OCLOCK, UserFactory

pytestmark = pytest.mark.django_db


def _entry() -> Change:
    return changes.record(
        actor=UserFactory.create(),
        verb="roster.changed",
        target="roster:1",
        at=NINE_OCLOCK,
        before={"primary": "a"},
        after={"primary": "b"},
        reason="swap",
    )


def test_the_change_log_cannot_be_rewritten_even_by_the_owner_of_the_table() -> None:
    entry = _entry()

    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        Change.objects.filter(pk=entry.pk).update(reason="nothing happened")
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        Change.objects.filter(pk=entry.pk).delete()

    assert Change.objects.get(pk=entry.pk).reason == "swap"


def test_the_products_role_may_add_to_the_change_log_and_not_empty_it(as_the_product: None) -> None:
    entry = _entry()

    with (
        pytest.raises(DatabaseError, match="permission denied"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute("TRUNCATE core_change")
    with pytest.raises(DatabaseError, match="permission denied"), transaction.atomic():
        Change.objects.filter(pk=entry.pk).update(reason="nothing happened")

    assert Change.objects.filter(pk=entry.pk).exists()
