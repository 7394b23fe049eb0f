import pytest

from people.operations import demo as people_demo
from postmortems.models import Postmortem
from postmortems.operations import demo
from recovery.operations import demo as recovery_demo
from tests.factories import NINE_OCLOCK
from tests.factories.fleet import JobFactory

pytestmark = pytest.mark.django_db


def test_what_was_due_is_published_and_the_rest_are_drafts() -> None:
    JobFactory.create(job_id="pt-moe-700b-0318")
    people_demo.load(NINE_OCLOCK)
    recovery_demo.load(NINE_OCLOCK)

    demo.load(NINE_OCLOCK)

    drafts = Postmortem.objects.filter(state="draft")
    assert drafts.exists()
    assert not drafts.filter(due_at__lt=NINE_OCLOCK).exists()
    assert not Postmortem.objects.filter(state="published", due_at__gt=NINE_OCLOCK).exists()
    assert "already" in demo.load(NINE_OCLOCK)
