"""The draft of an incident, from what is stored."""

from datetime import timedelta

import pytest
from django.test import Client

from core.registry import handlers_of
from postmortems.models import Postmortem
from postmortems.operations import drafts
from postmortems.queries import readers
from tests.factories import NINE_OCLOCK, UserFactory
from tests.factories.warroom import (
    AffectedJobFactory,
    ClockFactory,
    IncidentFactory,
    ParticipantFactory,
    RoomFactory,
)
from warroom.models import Incident
from warroom.operations import timeline

pytestmark = pytest.mark.django_db
AT = NINE_OCLOCK + timedelta(minutes=90)


@pytest.fixture
def incident() -> Incident:
    found = IncidentFactory.create(
        closed=True,
        tier=2,
        impact={"cards_idle": 384},
        acknowledged_at=NINE_OCLOCK + timedelta(minutes=1),
        what_restored="Plane 3 was bypassed",
    )
    RoomFactory.create(incident=found)
    ClockFactory.create(incident=found, state="met", met_at=NINE_OCLOCK + timedelta(minutes=40))
    AffectedJobFactory.create(incident=found, job_id="pt-moe-700b-0318")
    ParticipantFactory.create(incident=found, state="declined")
    timeline.record(incident=found, kind="note", at=NINE_OCLOCK, text="optics replaced")
    return found


def test_a_room_that_is_stood_down_leaves_a_draft_once(incident: Incident) -> None:
    for handler in handlers_of("room_stood_down") * 2:
        handler(number=incident.number)

    assert Postmortem.objects.filter(incident=incident).count() == 1
    assert incident.timeline.filter(kind="postmortem_drafted").count() == 1


def test_a_draft_says_what_it_cost_who_could_not_come_and_what_restored_it(
    incident: Incident,
) -> None:
    draft = drafts.draft(number=incident.number, at=AT)

    said = [text for section in readers.sections(draft) for text in section.sentences]
    assert "384 cards stood idle for 40 min 0 s: 256.0 card-hours." in said
    assert "1 person could not come." in said
    assert "Plane 3 was bypassed" in said
    assert draft.due_at == AT + timedelta(days=3)


def test_the_reader_shows_the_sections_and_the_timeline(incident: Incident, client: Client) -> None:
    draft = drafts.draft(number=incident.number, at=AT)
    client.force_login(UserFactory.create())

    page = client.get(f"/postmortems/{draft.pk}/").content.decode()

    assert "Plane 3 was bypassed" in page
    assert "optics replaced" in page


def test_who_may_not_see_the_region_finds_no_trace_of_the_postmortem(
    incident: Incident, client: Client
) -> None:
    Incident.objects.filter(pk=incident.pk).update(region="ulanqab")
    draft = drafts.draft(number=incident.number, at=AT)
    client.force_login(UserFactory.create(regions=["shanghai"]))

    assert client.get(f"/postmortems/{draft.pk}/").status_code == 404
    assert client.get(f"/incidents/{incident.number}/postmortem/").status_code == 404
    assert "Chip fault" not in client.get("/postmortems/").content.decode()
    assert client.get("/api/v1/postmortems").json()["results"] == []


def test_the_draft_of_a_drill_waits_for_nobody(incident: Incident) -> None:
    Incident.objects.filter(pk=incident.pk).update(is_drill=True)
    drafts.draft(number=incident.number, at=AT)
    commander = incident.commander
    assert commander is not None

    assert readers.waiting(commander, AT) == []
