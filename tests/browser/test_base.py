"""What every page stands on, looked at through the gallery of components."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from core import live
from tests.browser.conftest import VIEWS, View, Visit

pytestmark = pytest.mark.django_db(transaction=True)
GALLERY = "/components/"


@pytest.mark.parametrize("view", VIEWS, ids=str)
def test_every_component_is_free_of_axe_violations(
    visit: Visit, view: View, axe: Callable[[Page], list[str]]
) -> None:
    page = visit(view=view).open(GALLERY)
    page.wait_for_timeout(500)

    assert axe(page) == []


@pytest.mark.parametrize("view", VIEWS, ids=str)
def test_no_page_is_wider_than_the_window(visit: Visit, view: View) -> None:
    page = visit(view=view).open(GALLERY)
    page.wait_for_timeout(500)

    assert page.evaluate("document.documentElement.scrollWidth") <= view.width


def test_a_running_clock_ticks_and_a_met_one_stands_still(visit: Visit) -> None:
    page = visit().open(GALLERY)
    values = page.locator(".card .clock-value")
    before = values.all_text_contents()

    page.wait_for_timeout(2100)

    after = values.all_text_contents()
    assert after[0] != before[0]
    assert after[4] == before[4] == "06:12"
    assert after[3].startswith("+02:0")


def test_the_theme_follows_the_system(visit: Visit) -> None:
    page = visit(view=View(theme="light")).open(GALLERY)
    assert page.locator("html").get_attribute("data-bs-theme") == "light"

    page.emulate_media(color_scheme="dark")

    expect(page.locator("html")).to_have_attribute("data-bs-theme", "dark")


def test_the_language_switch_changes_the_page_and_comes_back_to_it(visit: Visit) -> None:
    page = visit().open(GALLERY)

    page.get_by_role("button", name="中文").click()

    expect(page.locator("h1")).to_have_text("组件")
    assert page.url.endswith(GALLERY)


def test_a_change_refreshes_its_panel_and_keeps_half_written_text(
    visit: Visit, streams: str
) -> None:
    page = visit().open(GALLERY)
    expect(page.locator("#live-pill")).to_contain_text("live")
    page.locator("#gallery-text").fill("half a senten")
    page.locator("#gallery-more summary").click()
    page.locator("#gallery-text").focus()
    page.wait_for_timeout(1500)
    drawn = page.locator("#gallery-panel time").get_attribute("datetime")

    live.tell(["gallery"])

    expect(page.locator("#gallery-panel time")).not_to_have_attribute("datetime", str(drawn))
    assert page.locator("#gallery-text").input_value() == "half a senten"
    assert page.locator("#gallery-more").get_attribute("open") is not None
    assert page.evaluate("document.activeElement.id") == "gallery-text"


def test_without_a_stream_the_page_polls_and_says_so(visit: Visit) -> None:
    page = visit().open(GALLERY)
    expect(page.locator("#live-pill")).to_contain_text("every 5 s", timeout=8000)
    page.wait_for_timeout(1000)
    drawn = page.locator("#gallery-panel time").get_attribute("datetime")

    live.tell(["gallery"])

    expect(page.locator("#gallery-panel time")).not_to_have_attribute(
        "datetime", str(drawn), timeout=8000
    )


def test_ten_tabs_of_one_browser_all_hear_a_change(visit: Visit, streams: str) -> None:
    visitor = visit()
    pages = [visitor.open(GALLERY) for _ in range(10)]
    for page in pages:
        expect(page.locator("#live-pill")).to_contain_text("live")
    pages[0].wait_for_timeout(1500)
    drawn = [page.locator("#gallery-panel time").get_attribute("datetime") for page in pages]

    live.tell(["gallery"])

    for page, before in zip(pages, drawn, strict=True):
        expect(page.locator("#gallery-panel time")).not_to_have_attribute("datetime", str(before))


def test_a_refusal_is_swapped_in_as_a_sentence(visit: Visit) -> None:
    page = visit().open(GALLERY)

    page.get_by_role("button", name="Accept").click()

    expect(page.get_by_role("alert").filter(has_text="Too late")).to_be_visible()


def test_an_irreversible_action_says_its_consequence_first(visit: Visit) -> None:
    page = visit().open(GALLERY)

    page.get_by_role("button", name="Stand down…").click()

    dialog = page.locator("#confirm-dialog")
    expect(dialog).to_contain_text("cannot be undone")
    dialog.get_by_role("button", name="Stand down room").click()
    expect(page.locator(".toast-line")).to_contain_text("Hidden for you.")
    expect(page.locator(".toast-line")).to_contain_text("Undo")


def test_keys_walk_the_rows_open_the_dialog_and_show_the_help(visit: Visit) -> None:
    page = visit().open(GALLERY)

    page.keyboard.press("j")
    page.keyboard.press("j")
    assert page.locator("[data-row].current").inner_text().startswith("INC-2043")
    page.keyboard.press("?")
    expect(page.locator("#keys-dialog")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("c")
    expect(page.locator("#sample-dialog")).to_be_visible()


def test_a_draft_outlives_a_reload_and_ends_when_it_is_sent(visit: Visit) -> None:
    page = visit().open(GALLERY)
    page.keyboard.press("c")
    page.locator("#sample-note").fill("plane 3 drained")
    page.reload()
    assert page.locator("#sample-note").input_value() == "plane 3 drained"
    page.keyboard.press("c")
    page.locator("#id_title").first.fill("x")
    page.locator("#sample-dialog #id_title").fill("x")

    page.locator("#sample-dialog").get_by_role("button", name="Declare").click()

    expect(page.locator("#sample-dialog")).to_be_hidden()
    page.reload()
    assert page.locator("#sample-note").input_value() == ""


def test_an_ended_session_never_lands_inside_a_panel(visit: Visit) -> None:
    visitor = visit()
    page = visitor.open(GALLERY)
    visitor.context.clear_cookies()

    page.evaluate("document.body.dispatchEvent(new CustomEvent('live:gallery'))")

    expect(page.locator("#session-banner")).to_be_visible()
    expect(page.locator("#gallery-panel")).to_contain_text("Drawn at")


def test_copy_puts_the_command_on_the_clipboard(visit: Visit) -> None:
    page = visit().open(GALLERY)

    page.get_by_role("button", name="Copy").click()

    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == "hccn_tool -i 0-7 -link -g"
