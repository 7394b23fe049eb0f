"""The board, the list, the room and the phone page, asked as a browser asks."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from core import live
from people.models import User
from people.queries import on_duty
from tests.factories import UserFactory
from tests.warroom.conftest import load_site
from warroom.models import HandOver, Incident, Participant, TimelineEntry
from warroom.operations import incidents
from warroom.states import Action

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


@pytest.fixture
def burning() -> Incident:
    """Declared a minute ago; the people on duty are called."""
    now = timezone.now()
    load_site(now - timedelta(hours=1))
    reporter = UserFactory.create(name="Lin Wei")
    data = {"title": "Plane 3 down", "failure_class": "NIN", "tier": 2}
    return incidents.declare(data=data, by=reporter, at=now - timedelta(minutes=1))


def logged_in(user: User, language: str = "en") -> Client:
    client = Client()
    client.force_login(user)
    client.cookies["django_language"] = language
    return client


def sre() -> User:
    duty = on_duty("SRE", timezone.now(), "")
    assert duty.primary is not None
    return duty.primary


def post(client: Client, incident: Incident, action: str, **data: str) -> Any:
    return client.post(f"/incidents/{incident.number}/do/{action}/", data, headers=HTMX)


PARTS = ["", "head/", "people/", "damage/", "timeline/", "timeline/?show=notes&everything=1"]


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("part", PARTS)
def test_every_part_of_a_room_is_drawn_in_both_languages(
    burning: Incident, part: str, language: str
) -> None:
    answer = logged_in(sre(), language).get(f"/incidents/{burning.number}/{part}")

    assert answer.status_code == 200


@pytest.mark.parametrize(
    "path", ["/", "/board/incidents/", "/board/tiles/", "/board/for-you/", "/incidents/"]
)
def test_the_board_and_the_list_are_drawn_empty_and_full(db: None, path: str) -> None:
    reader = UserFactory.create()
    assert logged_in(reader).get(path).status_code == 200

    incidents.declare(data={"title": "Loss is NaN"}, by=reader, at=timezone.now())

    answer = logged_in(reader).get(path)
    assert answer.status_code == 200
    assert "Loss is NaN" in answer.content.decode()


def test_the_board_shows_a_called_person_join_and_others_enter(burning: Incident) -> None:
    called, passer_by = sre(), UserFactory.create()

    board = "/board/incidents/"
    assert "do/join/" in logged_in(called).get(board).content.decode()
    assert "do/join/" not in logged_in(passer_by).get(board).content.decode()


def test_joining_by_button_joins_and_tells_the_page(burning: Incident) -> None:
    answer = post(logged_in(sre()), burning, "join")

    assert answer.status_code == 204
    events = json.loads(answer.headers["HX-Trigger"])
    assert f"live:incident-{burning.number}" in events
    assert Participant.objects.get(incident=burning, user=sre()).state == "joined"


def test_a_refusal_is_a_sentence_in_the_readers_language(burning: Incident) -> None:
    viewer = UserFactory.create(viewer=True)

    answer = post(logged_in(viewer, "zh-hans"), burning, "join")

    assert answer.status_code == 409
    assert "只读" in answer.content.decode() or "旁观" in answer.content.decode()
    assert not Participant.objects.filter(incident=burning, user=viewer).exists()


def test_a_stand_down_names_everything_that_is_missing_and_changes_nothing(
    burning: Incident,
) -> None:
    client = logged_in(sre())
    post(client, burning, "join")
    post(client, burning, "take_command")
    post(client, burning, "mark_restored", reason="looked at it")

    answer = post(client, burning, "stand_down", what_restored="A new switch")

    text = answer.content.decode()
    assert answer.status_code == 409
    assert "Confirm the failure class." in text
    assert "Confirm when the fault occurred." in text
    burning.refresh_from_db()
    assert (burning.state, burning.what_restored) == ("restored", "")


def test_a_room_is_stood_down_by_its_forms(burning: Incident) -> None:
    client = logged_in(sre())
    for action, data in [
        ("join", {}),
        ("take_command", {}),
        ("reclassify", {"failure_class": "NIN"}),
        ("mark_restored", {"reason": "looked at it"}),
    ]:
        post(client, burning, action, **data)

    answer = post(
        client,
        burning,
        "stand_down",
        occurred_at=f"{burning.opened_at.astimezone(sre().zone):%Y-%m-%dT%H:%M:%S}",
        impact="none",
        what_restored="A new switch",
        root_unknown_reason="both ends look fine",
    )

    burning.refresh_from_db()
    assert (answer.status_code, answer.content.decode(), burning.state) == (204, "", "closed")


@pytest.mark.parametrize("action", [word for word in Action.values if word != "note"])
def test_every_action_has_a_question_that_can_be_asked(burning: Incident, action: str) -> None:
    answer = logged_in(sre()).get(f"/incidents/{burning.number}/ask/{action}/", headers=HTMX)

    assert answer.status_code == 200


def test_a_hand_over_is_offered_and_accepted_from_the_phone_page(burning: Incident) -> None:
    giver, taker = burning.owner, sre()
    assert giver is not None
    post(logged_in(giver), burning, "hand_over", to=taker.username, note="all quiet")
    phone = logged_in(taker).get(f"/m/{burning.number}/").content.decode()
    assert "do/accept/" in phone
    assert "all quiet" in phone

    post(logged_in(taker), burning, "accept")

    burning.refresh_from_db()
    assert burning.owner == taker
    assert HandOver.objects.get().state == "accepted"


def test_declaring_leads_into_the_new_room(db: None) -> None:
    client = logged_in(UserFactory.create())

    answer = client.post("/incidents/declare/", {"title": "Loss is NaN", "tier": "3"}, headers=HTMX)

    number = Incident.objects.get().number
    assert answer.headers["HX-Redirect"] == f"/incidents/{number}/"


def test_a_declaration_without_a_title_is_refused_in_words(db: None) -> None:
    client = logged_in(UserFactory.create())

    answer = client.post("/incidents/declare/", {"title": " "}, headers=HTMX)

    assert answer.status_code == 409
    assert "Say in a few words what is wrong." in answer.content.decode()
    assert not Incident.objects.exists()


def test_who_may_not_see_an_incident_finds_nothing(burning: Incident) -> None:
    Incident.objects.filter(pk=burning.pk).update(region="ulanqab")
    stranger = logged_in(UserFactory.create(regions=["shanghai"]))

    assert "Plane 3 down" not in stranger.get("/incidents/").content.decode()
    for part in (*PARTS, "ask/join/"):
        assert stranger.get(f"/incidents/{burning.number}/{part}").status_code == 404
    assert stranger.get(f"/m/{burning.number}/").status_code == 404


def test_filters_live_in_the_address(burning: Incident) -> None:
    client = logged_in(sre())

    assert "Plane 3 down" in client.get("/incidents/?search=plane&tier=2").content.decode()
    assert "Plane 3 down" not in client.get("/incidents/?tier=3").content.decode()
    assert client.get("/incidents/?tier=9&state=nonsense&cursor=x~y").status_code == 200


def test_the_list_pages_by_cursor_without_losing_a_line(db: None) -> None:
    reader, now = UserFactory.create(), timezone.now()
    Incident.objects.bulk_create(
        Incident(title=f"Line {n:03}", opened_at=now, detected_at=now, owner=reader, policy={})
        for n in range(120)
    )
    client, seen, address = logged_in(reader), [], "/incidents/"

    for _ in range(3):
        page = client.get(address)
        seen += [row.incident.title for row in page.context["rows"]]
        address = f"/incidents/?{page.context['request'].GET.urlencode()}"
        address = "/incidents/?cursor=" + page.context["older"].replace("+", "%2B")

    assert seen == [f"Line {n:03}" for n in reversed(range(120))]


def test_an_unchanged_panel_answers_304_with_two_queries_at_most(burning: Incident) -> None:
    client = logged_in(sre())
    topic = f"incident-{burning.number}"
    live.tell([topic])
    path = f"/incidents/{burning.number}/timeline/"
    tag = client.get(path).headers["ETag"]

    with CaptureQueriesContext(
        connection,
    ) as queries:
        answer = client.get(path, headers={"If-None-Match": tag})

    assert answer.status_code == 304
    assert len(queries) <= 2  # the session and the person
    live.tell([topic])
    assert client.get(path, headers={"If-None-Match": tag}).status_code in {200, 304}


def test_a_note_is_escaped(burning: Incident) -> None:
    client = logged_in(sre())

    post(client, burning, "note", text="<script>alert(1)</script>")

    page = client.get(f"/incidents/{burning.number}/timeline/").content.decode()
    assert "<script>alert" not in page
    assert TimelineEntry.objects.filter(incident=burning, kind="note").count() == 1


def test_the_room_asks_a_constant_number_of_queries(burning: Incident) -> None:
    client = logged_in(sre())
    path = f"/incidents/{burning.number}/people/"
    client.get(path)
    with CaptureQueriesContext(connection) as few:
        client.get(path)
    Participant.objects.bulk_create(
        Participant(incident=burning, user=UserFactory.create(), state="asked") for _ in range(30)
    )

    with CaptureQueriesContext(connection) as many:
        client.get(path)

    assert len(many) == len(few)
