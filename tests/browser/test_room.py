"""The board, the room and the phone page in Chromium: seen, joined, handed over, live."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from people.models import User
from people.queries import on_duty
from tests.browser.conftest import VIEWS, View, Visit
from tests.factories import UserFactory
from tests.warroom.conftest import load_site
from warroom.models import Incident
from warroom.operations import actions, incidents

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def burning() -> Incident:
    now = timezone.now()
    load_site(now - timedelta(hours=1))
    reporter = UserFactory.create(name="Lin Wei")
    data = {"title": "Plane 3 down", "failure_class": "NIN", "tier": 2}
    return incidents.declare(data=data, by=reporter, at=now - timedelta(minutes=6))


def on_call(domain: str) -> User:
    person = on_duty(domain, timezone.now(), "").primary
    assert person is not None
    return person


@pytest.mark.parametrize("view", VIEWS, ids=str)
def test_pages_are_free_of_axe_violations_and_fit_the_window(
    visit: Visit, view: View, axe: Callable[[Page], list[str]], burning: Incident
) -> None:
    visitor = visit(on_call("SRE"), view)

    for path in ("/", "/incidents/", f"/incidents/{burning.number}/", f"/m/{burning.number}/"):
        page = visitor.open(path)
        expect(page.locator("[hx-trigger=load]")).to_have_count(0)
        page.wait_for_timeout(300)
        assert (path, axe(page)) == (path, [])
        assert (path, page.evaluate("document.documentElement.scrollWidth")) == (path, view.width)
        page.close()


def test_one_thumb_joins_from_the_phone_page(visit: Visit, burning: Incident) -> None:
    page = visit(on_call("SRE"), View(width=390)).open(f"/m/{burning.number}/")

    page.get_by_role("button", name="Join").click()

    expect(page.locator(".thumb")).to_contain_text("You are in the room since")
    expect(page.get_by_role("button", name="Can't come")).to_have_count(0)


def test_a_refused_hand_over_form_keeps_what_was_written(visit: Visit, burning: Incident) -> None:
    owner = burning.owner
    assert owner is not None
    page = visit(owner).open(f"/incidents/{burning.number}/")
    page.get_by_role("button", name="Hand over").first.click()
    dialog = page.locator("#action-dialog")
    dialog.locator("#ask-note").fill("plane 3 drained")
    dialog.locator("#ask-to").select_option(on_call("SRE").username)
    dialog.get_by_role("button", name="Hand over").click()
    expect(page.locator(".offer")).to_contain_text("plane 3 drained")

    page.get_by_role("button", name="Hand over").first.click()
    dialog.locator("#ask-to").select_option(on_call("NET").username)
    dialog.locator("#ask-note").fill("once more")
    dialog.get_by_role("button", name="Hand over").click()

    expect(dialog.get_by_role("alert")).to_contain_text("still waits for an answer")
    assert dialog.locator("#ask-note").input_value() == "once more"


def test_what_others_do_appears_without_a_reload_and_half_a_note_stays(
    visit: Visit, streams: str, burning: Incident
) -> None:
    page = visit(on_call("SRE")).open(f"/incidents/{burning.number}/")
    expect(page.locator("#live-pill")).to_contain_text("live")
    page.locator("#note-text").fill("half a senten")

    actions.take(
        number=burning.number,
        action="join",
        data={},
        by=on_call("NET"),
        at=timezone.now(),
    )

    name = str(on_call("NET"))
    seat = page.locator("#room-people .list-group-item").filter(has_text=name)
    expect(seat).to_contain_text("joined")
    expect(page.locator("#room-timeline")).to_contain_text("Joined for")
    assert page.locator("#note-text").input_value() == "half a senten"


def test_a_note_written_with_the_keyboard_lands_in_the_timeline(
    visit: Visit, burning: Incident
) -> None:
    page = visit(on_call("SRE")).open(f"/incidents/{burning.number}/")

    page.keyboard.press("c")
    page.keyboard.type("optics look fine")
    page.keyboard.press("Control+Enter")

    expect(page.locator("#room-timeline")).to_contain_text("optics look fine")
    assert page.locator("#note-text").input_value() == ""


def test_new_lines_above_the_window_are_counted_in_a_pill(
    visit: Visit, streams: str, burning: Incident
) -> None:
    by = on_call("SRE")
    for n in range(40):
        actions.take(
            number=burning.number,
            action="note",
            data={"text": f"line {n}"},
            by=by,
            at=timezone.now(),
        )
    page = visit(by).open(f"/incidents/{burning.number}/")
    expect(page.locator("#live-pill")).to_contain_text("live")
    page.evaluate("scrollTo(0, 1200)")
    page.wait_for_timeout(1500)
    before = page.evaluate("scrollY")

    actions.take(
        number=burning.number, action="note", data={"text": "a new one"}, by=by, at=timezone.now()
    )

    expect(page.locator("[data-timeline-new]")).to_contain_text("1 new")
    assert page.evaluate("scrollY") == before


def test_declaring_with_the_keyboard_opens_the_room(visit: Visit, burning: Incident) -> None:
    page = visit(on_call("SRE")).open("/")
    page.keyboard.press("c")
    page.keyboard.type("Loss is NaN on vlm-12b")

    page.get_by_role("button", name="Declare and call people").click()

    expect(page.locator("#room-title")).to_have_text("Loss is NaN on vlm-12b")
    expect(page.locator(".room-clock")).to_have_count(2)
