from datetime import timedelta
from typing import Any

import pytest
from django.db import Error, transaction
from django.utils import translation
from pytest_django import DjangoAssertNumQueries

from core.errors import NotFound
from core.registry import timeline_texts
from tests.factories import NINE_OCLOCK, AudienceFactory, UserFactory
from tests.factories.warroom import AlertGroupFactory, IncidentFactory, ParticipantFactory
from tests.warroom.conftest import opened, person, take
from warroom import queries
from warroom.operations import clocks, incidents, timeline
from warroom.queries import registered
from warroom.queries.texts import TEXTS

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


def test_the_timeline_is_told_in_the_readers_language(site: None, sre: Any) -> None:
    incident = opened()

    with translation.override("zh-hans"):
        lines = queries.timeline(incident.number, sre)

    assert lines[0].kind == "opened"
    assert "承载训练任务" in lines[0].text


def test_every_row_that_was_written_has_words(site: None, sre: Any) -> None:
    incident = opened()
    for minute in (3, 6, 8, 10, 60, 90, 120):
        clocks.fire_due(at=NINE_OCLOCK + minute * MINUTE)

    lines = queries.timeline(incident.number, sre)

    assert {line.kind for line in lines} <= set(TEXTS)
    assert all(line.text for line in lines)


def test_rows_of_other_apps_are_told_by_those_apps(site: None, sre: Any) -> None:
    timeline_texts.add("test_only_step", lambda params: f"Step {params['step']} done")
    incident = opened()
    timeline.record(incident=incident, kind="test_only_step", at=NINE_OCLOCK, step=4)

    assert queries.timeline(incident.number, sre)[-1].text == "Step 4 done"


def test_only_what_is_new_is_asked_for(site: None, sre: Any) -> None:
    incident = opened()
    last = queries.timeline(incident.number, sre)[-1].id
    take(incident, "note", sre, NINE_OCLOCK + MINUTE, text="New")

    assert [line.written for line in queries.timeline(incident.number, sre, after=last)] == ["New"]


def test_a_merged_timeline_is_read_as_a_union(site: None, sre: Any) -> None:
    early, late = AlertGroupFactory.create(), AlertGroupFactory.create()
    first = incidents.follow_group(group_id=early.pk, at=NINE_OCLOCK)
    second = incidents.follow_group(group_id=late.pk, at=NINE_OCLOCK + MINUTE)
    assert first is not None
    assert second is not None
    late.merged_into, late.state = early, "merged"
    late.save()
    incidents.follow_group(group_id=late.pk, at=NINE_OCLOCK + 2 * MINUTE)

    numbers = {line.incident_number for line in queries.timeline(first.number, sre)}

    assert numbers == {first.number, second.number}


def test_who_may_not_see_an_incident_sees_no_trace_of_it(site: None) -> None:
    incident, stranger = opened(audience=AudienceFactory.create()), UserFactory.create()
    shanghai = UserFactory.create(regions=["shanghai"])

    for user in (stranger, shanghai):
        with pytest.raises(NotFound):
            queries.timeline(incident.number, user)
        with pytest.raises(NotFound):
            queries.room(incident.number, user, NINE_OCLOCK)
        assert queries.board(user, NINE_OCLOCK).rows == []
        assert not queries.incident_list(user).exists()
        assert not registered.may_hear(user, f"incident-{incident.number}")


@pytest.mark.parametrize("count", [1, 12])
def test_the_board_takes_the_same_queries_however_many_burn(
    sre: Any, count: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(count):
        opened()

    with django_assert_num_queries(5):
        board = queries.board(sre, NINE_OCLOCK)

    assert board.open_count == count
    assert board.next_deadline is not None
    assert board.next_deadline.clock.kind == "assemble"


@pytest.mark.parametrize("people", [1, 20])
def test_the_room_takes_the_same_queries_however_full_it_is(
    sre: Any, people: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    incident = opened()
    for _ in range(people):
        ParticipantFactory.create(incident=incident, joined=True)

    with django_assert_num_queries(11):
        page = queries.room(incident.number, sre, NINE_OCLOCK + MINUTE)

    assert page.row.missing == ["SRE", "HW", "DRV", "PLT"]
    assert page.people[0].state == "joined"
    assert page.gates


def test_card_hours_grow_with_the_idle_cards(site: None, sre: Any) -> None:
    incident = opened(first_event_at=NINE_OCLOCK, impact={"cards_idle": 384, "type": "stalled"})

    assert queries.blast(incident, NINE_OCLOCK + 10 * MINUTE).card_hours == 64.0


def test_the_list_filters_alike_for_pages_and_api(site: None, sre: Any) -> None:
    incident = opened()
    IncidentFactory.create(closed=True, title="Old", failure_class="TLF", region="", root={})
    found: dict[str, dict[str, Any]] = {
        "all": {},
        "open": {"open": True},
        "job": {"job": "pt-moe-700b-0318"},
        "component": {"component": "ulanqab/sn05"},
        "class": {"failure_class": "DRV", "tier": 3},
        "zh": {"search": "驱动"},
        "number": {"search": f"INC-{incident.number}"},
        "mine": {"mine": True},
        "state": {"state": ["open", "closed"]},
        "none": {"search": "nothing like it"},
    }

    counts = {
        name: queries.incident_list(sre, dict(values)).count() for name, values in found.items()
    }

    assert counts == {
        "all": 2,
        "open": 1,
        "job": 1,
        "component": 1,
        "class": 1,
        "zh": 1,
        "number": 1,
        "mine": 1,
        "state": 2,
        "none": 0,
    }


def test_a_call_waits_for_its_person_until_they_answer(site: None, sre: Any) -> None:
    incident = opened()
    assert [w.url for w in registered.waits_for(sre, NINE_OCLOCK)] == [
        f"/incidents/{incident.number}/"
    ]

    take(incident, "join", sre, NINE_OCLOCK + MINUTE)

    assert registered.waits_for(sre, NINE_OCLOCK) == []


def test_metrics_and_readiness_tell_of_overdue_clocks(site: None) -> None:
    opened()
    late = NINE_OCLOCK + 5 * MINUTE

    values = {m.name: m.value for m in registered.metrics(late)}

    assert values["warroom_clocks_overdue"] == 2
    assert values["warroom_clocks_overdue_oldest_seconds"] == 240
    assert "late" in registered.ready(late)
    assert registered.ready(NINE_OCLOCK) == ""


def test_what_was_opened_is_whole(site: None) -> None:
    opened()

    assert registered.integrity() == []


def test_open_incidents_of_a_job(site: None) -> None:
    incident = opened()

    assert queries.open_incidents_of_job("pt-moe-700b-0318") == [incident]
    assert person("SRE") == incident.commander


def test_nobody_changes_a_timeline_row(site: None) -> None:
    row = opened().timeline.first()
    assert row is not None
    row.text = "It was not me"

    with pytest.raises(Error), transaction.atomic():
        row.save()
