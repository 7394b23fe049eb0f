"""From a storm to the daily page, as people see it: Chromium on the whole product."""

import threading
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from config.stack.running import Stack, wait_until
from tests.browser.conftest import CHROMIUM, IN_CI
from tests.journeys.people import PATIENCE_MS, Person, enter, keep

pytestmark = [pytest.mark.journey, pytest.mark.timeout(900)]

JOB = "pt-moe-700b-0318"
STORM_SPEED = "60"
STAGES = {  # minutes
    "fault_detection": 0.6,
    "diagnosis": 1.3,
    "reschedule": 1.6,
    "process_stop": 0.7,
    "environment_init": 1.9,
    "data_restore": 2.4,
    "checkpoint_load": 4.4,
    "link_build": 2.4,
    "operator_compile": 1.9,
    "first_step": 1.2,
}
TABS = (
    "/incidents/",
    "/alerts/",
    "/alert-groups/",
    "/receipts/",
    "/fleet/",
    "/duty/",
    "/sops/",
    "/recovery/",
)
QUICK_MS = 10_000
expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture
def product(tmp_path: Path) -> Iterator[Stack]:
    environment = {"WARROOM_CLOCK_SCALE": "1"}
    with Stack(tmp_path / "var", demo=True, environment=environment) as stack:
        yield stack


@pytest.fixture
def chromium() -> Iterator[Browser]:
    if not CHROMIUM.exists() and not IN_CI:
        pytest.skip(
            "Chromium is missing: `apt-get install chromium`, or name it in WARROOM_CHROMIUM."
        )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


class Api:
    """The product's API, as one person's program uses it."""

    def __init__(self, stack: Stack, user: str) -> None:
        said = stack.manage("create_token", "--user", user, "--scopes", "read,respond")
        headers = {"Authorization": f"Bearer {said.split()[-1]}"}
        self._client = httpx.Client(
            base_url=f"{stack.base_url}/api/v1", headers=headers, timeout=60
        )

    def get(self, path: str, **query: Any) -> Any:
        return self._client.get(path, params=query).raise_for_status().json()

    def rows(self, path: str, **query: Any) -> list[dict[str, Any]]:
        page = self.get(path, **query)
        found: list[dict[str, Any]] = page["results"]
        while page["next"]:
            page = self._client.get(page["next"]).raise_for_status().json()
            found += page["results"]
        return found

    def act(self, number: int, action: str) -> None:
        answer = self._client.post(f"/incidents/{number}/actions", json={"action": action})
        answer.raise_for_status()


def on_duty(api: Api, domain: str) -> str:
    return str(api.get(f"/teams/{domain}/on-duty", region="ulanqab")["primary"]["username"])


def test_a_storm_becomes_an_incident_that_ends_on_the_daily_page(
    product: Stack, chromium: Browser
) -> None:
    api = Api(product, "admin")
    commander = enter(chromium, product.base_url, on_duty(api, "SRE"))
    called = enter(chromium, product.base_url, on_duty(api, "NET"), phone=True)

    number = storm_on_an_open_board(product, commander, api)
    one_thumb_joins(called, number)
    room = everybody_joins_while_ten_tabs_are_open(product, commander, called, api, number)
    walk_the_sop(commander, room)
    confirm_class_and_root(room)
    report_recovery(product)
    expect(state_of(room)).to_have_text("Restored")
    look_at_the_room(commander, room)
    stand_down(commander, room)
    read_the_draft(commander, api, number)
    read_the_day(commander, api, number)

    assert commander.faults + called.faults == []


def storm_on_an_open_board(product: Stack, commander: Person, api: Api) -> int:
    board = commander.tab("/")
    expect(board.locator("#live-pill")).to_have_text("live")
    expect(board.locator(".inc")).to_have_count(0)
    board.evaluate("window.openedBefore = true")
    storm = threading.Thread(target=product.manage, args=("storm", "--speed", STORM_SPEED))
    storm.start()
    expect(board.locator(".inc")).to_have_count(1)
    storm.join()
    expect(board.locator("#alerts-last-hour")).to_contain_text(
        "2,490 distinct · 3,082 received · 116 truncated"
    )
    expect(board.locator(".inc")).to_contain_text("2,489 alerts")
    assert board.evaluate("window.openedBefore") is True
    commander.look(board)
    keep(board, "board")
    board.close()
    (incident,) = [one for one in api.rows("/incidents") if not one["imported"]]
    assert (
        incident["alert_count"],
        incident["received_count"],
        incident["truncated_count"],
    ) == (2489, 3081, 116)
    return int(incident["number"])


def one_thumb_joins(called: Person, number: int) -> None:
    page = called.tab(f"/m/{number}/")
    expect(page.locator("#live-pill")).to_have_text("live")
    called.look(page)
    keep(page, "phone")
    page.get_by_role("button", name="Join").tap()
    expect(page.locator(".thumb")).to_contain_text("You are in the room since")
    called.look(page)
    called.context.close()


def everybody_joins_while_ten_tabs_are_open(
    product: Stack, commander: Person, called: Person, api: Api, number: int
) -> Page:
    """Live updates arrive in the tenth tab, and pages still answer there: one stream for all."""
    tabs = [commander.tab(path) for path in ("/", *TABS)]
    tenth = commander.tab(f"/incidents/{number}/")
    tenth.get_by_role("button", name="Join").click()
    required = called_once(api, number)
    assert len(required) == 6
    for name in sorted(required - {commander.name, called.name}):
        Api(product, name).act(number, "join")
    expect(tenth.locator("#room-people-title")).to_contain_text("6 /")
    expect(tenth.locator(".room-clock").first.locator(".clock")).to_have_attribute(
        "data-level", "met"
    )
    expect(tabs[0].locator(".inc")).to_contain_text("6 here")
    wait_until(lambda: streams(product) == 1, 30, "ten tabs of a browser share one stream")
    for path in ("/alerts/", f"/incidents/{number}/"):
        tenth.goto(commander.base + path, timeout=QUICK_MS)
    assert api.get(f"/incidents/{number}")["assembled_at"]
    for tab in tabs:
        commander.look(tab)
        tab.close()
    return tenth


def called_once(api: Api, number: int) -> set[str]:
    """Who was called when the incident opened: everybody once on each channel."""
    calls = Counter(
        (one["person"]["username"], one["channel"])
        for one in api.rows("/deliveries", incident=number)
        if one["step_key"] == f"inc:{number}:ladder:0"
    )
    assert set(calls.values()) == {1}
    return {name for name, _ in calls}


def streams(product: Stack) -> int:
    port = int(product.env["WARROOM_LIVE_PORT"])
    return len(
        [
            one
            for one in psutil.net_connections("tcp")
            if one.raddr and one.raddr.port == port and one.status == psutil.CONN_ESTABLISHED
        ]
    )


def walk_the_sop(commander: Person, room: Page) -> None:
    for number in (1, 2):
        step(room, number).get_by_role("button", name="Done").click()
        expect(step(room, number)).to_have_attribute("data-state", "done")
    step(room, 3).get_by_role("button", name="A plane or a switch").click()
    expect(step(room, 3)).to_have_attribute("data-state", "branched")
    step(room, 5).get_by_role("button", name="Skip").click()
    room.locator("#sop-text-5").fill("The switch answers again; nothing to bypass.")
    keep(room, "sop", part="#sop-panel")
    step(room, 5).get_by_role("button", name="Skip").click()
    expect(step(room, 5)).to_have_attribute("data-state", "skipped")
    commander.look(room)


def step(room: Page, number: int) -> Locator:
    return room.locator(f"#sop-step-{number}")


def confirm_class_and_root(room: Page) -> None:
    room.locator("#note-text").fill(
        "L2 switch 12-3-01 is back after a power cycle; 48 links are up."
    )
    room.keyboard.press("Control+Enter")
    expect(room.locator("#room-timeline")).to_contain_text("48 links are up")
    for action, done in (
        ("Confirm or change class", "confirmed"),
        ("Confirm root", "confirmed by"),
    ):
        dialog = ask(room, action)
        dialog.locator("[type=submit]").click()
        expect(dialog).to_be_hidden()
        expect(room.locator("#room-head")).to_contain_text(done)
    keep(room, "room")


def ask(room: Page, action: str) -> Locator:
    """Open the dialog of an action, wherever its button is."""
    button = room.locator(".room-actions").get_by_role("button", name=action)
    if not button.is_visible():
        room.locator(".room-actions").get_by_role("button", name="More").click()
    button.click()
    dialog = room.locator("#action-dialog")
    expect(dialog).to_be_visible()
    return dialog


def state_of(room: Page) -> Locator:
    return room.locator("#room-head .pill", has_text="Restored")


def report_recovery(product: Stack) -> None:
    """What a job controller posts: the fault, ten stages, the first step, and the proof."""
    said = product.manage("create_source", "--kind", "recovery", "--name", "controller")
    answer = httpx.post(
        f"{product.base_url}/hooks/recovery/{said.split()[-1]}", json=reports(timezone.now())
    )
    assert answer.status_code == 202


def reports(now: datetime) -> list[dict[str, Any]]:
    first_step_at = now - timedelta(seconds=150)
    at = first_step_at - timedelta(minutes=sum(STAGES.values()))
    found: list[dict[str, Any]] = [{"event": "fault", "at": at, "step_at_fault": 184_200}]
    for stage, minutes in STAGES.items():
        ends_at = at + timedelta(minutes=minutes)
        found.append({"event": "stage", "stage": stage, "started_at": at, "ended_at": ends_at})
        at = ends_at
    found.append({"event": "first_step", "at": first_step_at, "step": 184_044})
    found.append({"event": "steps", "at": now, "count": 10, "throughput_ratio": 0.97})
    same = {"job_id": JOB, "recovery_id": "journey-1", "strategy": "pod"}
    for one in found:
        one.setdefault("at", one.get("ended_at"))
    return [
        same | {k: v.isoformat() if isinstance(v, datetime) else v for k, v in one.items()}
        for one in found
    ]


def look_at_the_room(commander: Person, room: Page) -> None:
    expect(room.locator(".room-clock").last.locator(".clock")).to_have_attribute(
        "data-level", "met"
    )
    expect(room.locator("#room-timeline")).to_contain_text(JOB)
    commander.look(room)


def stand_down(commander: Person, room: Page) -> None:
    dialog = ask(room, "Stand down")
    expect(dialog.get_by_label("Lost steps")).to_have_value("157")
    expect(dialog.get_by_label("Checkpoint used")).to_have_value("184043")
    commander.look(room)
    dialog.get_by_label("Impact").select_option("interrupted")
    dialog.get_by_label("What restored it").fill("Power cycle of L2 switch 12-3-01; job restarted.")
    dialog.locator("[type=submit]").click()
    expect(dialog).to_be_hidden()
    expect(room.locator("#room-head .pill", has_text="Closed")).to_be_visible()


def read_the_draft(commander: Person, api: Api, number: int) -> None:
    wait_until(lambda: bool(api.rows("/postmortems", incident=number)), 60, "no draft was written")
    page = commander.tab(f"/incidents/{number}/postmortem/")
    expect(page.locator(".stamps")).to_contain_text("Root confirmed")
    expect(page.locator(".stamps")).not_to_contain_text("not recorded")
    expect(page.locator(".timeline-plain")).to_contain_text("48 links are up")
    commander.look(page)
    keep(page, "postmortem")


def read_the_day(commander: Person, api: Api, number: int) -> None:
    (recovery,) = [one for one in api.rows("/recoveries") if one["incident"] == number]
    assert recovery["total_seconds"] == pytest.approx(sum(STAGES.values()) * 60, abs=1)
    page = commander.tab(f"/recovery/{recovery['fault_at'][:10]}/")
    row = page.locator("#rows tr").filter(has_text=f"INC-{number}")
    expect(row).to_contain_text(JOB)
    expect(row).to_contain_text("succeeded")
    expect(page.locator("canvas").first).to_be_visible()
    commander.look(page)
    keep(page, "recovery")
