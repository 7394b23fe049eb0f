"""People with a browser of their own each: they log in, open tabs, and notice what is wrong."""

import os
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    Response,
    ViewportSize,
    expect,
)

from config.stack.running import wait_until

PASSWORD = "warroom-demo"
PATIENCE_MS = 60_000
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]
WIDE: ViewportSize = {"width": 1440, "height": 900}
TALL: ViewportSize = {"width": 1440, "height": 2000}
PHONE: ViewportSize = {"width": 390, "height": 844}
MOST_BYTES = 300_000
STILL = "document.getAnimations().every((one) => one.playState !== 'running')"


@dataclass(kw_only=True)
class Person:
    """`faults` is what a page of theirs complained about; [] is what it should be."""

    name: str
    base: str
    context: BrowserContext
    faults: list[str] = field(default_factory=list)

    def tab(self, path: str) -> Page:
        page = self.context.new_page()
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.faults.append(f"{page.url}: {error}"))
        page.on("response", self._answered)
        page.goto(self.base + path)
        return page

    def log_in(self) -> None:
        page = self.tab("/accounts/login/")
        self.look(page)
        page.get_by_label("Name to log in with").fill(self.name)
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Log in").click()
        page.wait_for_selector(".has-chrome")
        page.close()

    def look(self, page: Page) -> None:
        """Look at a page that has loaded its panels; every violation of axe's rules is a fault."""
        expect(page.locator("[hx-trigger=load], .htmx-request")).to_have_count(0)
        wait_until(lambda: page.evaluate(STILL), 30, f"{page.url} does not come to rest")
        found: dict[str, Any] = Axe().run(page, options={"runOnly": RULES}).response
        self.faults += [
            f"{page.url}: {violation['id']}: {violation['help']} at {node['target']}"
            for violation in found["violations"]
            for node in violation["nodes"]
        ]

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.faults.append(f"{message.location['url']}: {message.text}")

    def _answered(self, response: Response) -> None:
        if response.status >= 400:
            self.faults.append(f"{response.url}: {response.status}")


def enter(browser: Browser, base: str, name: str, *, phone: bool = False) -> Person:
    context = browser.new_context(
        viewport=PHONE if phone else WIDE,
        device_scale_factor=2 if phone else 1,
        is_mobile=phone,
        has_touch=phone,
        color_scheme="dark",
        locale="en-US",
    )
    context.set_default_timeout(PATIENCE_MS)
    english = {"name": settings.LANGUAGE_COOKIE_NAME, "value": "en", "url": base}
    context.add_cookies([english])  # type: ignore[list-item]
    person = Person(name=name, base=base, context=context)
    person.log_in()
    return person


def keep(page: Page, name: str, *, part: str = "") -> None:
    """A screenshot, where somebody asked for it: CI writes none."""
    folder = os.environ.get("WARROOM_SCREENSHOTS")
    if not folder:
        return
    path = Path(folder) / f"{name}.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    if part:
        page.set_viewport_size(TALL)  # else the bar on top stands in the middle of the part
        for _ in range(3):  # a live panel may be swapped while its picture is taken
            with suppress(Error):
                page.locator(part).screenshot(path=path)
                break
        page.set_viewport_size(WIDE)
    else:
        page.evaluate("scrollTo(0, 0)")
        page.screenshot(path=path)
    assert path.stat().st_size < MOST_BYTES
