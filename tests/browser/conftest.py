"""Pages as a person sees them: Chromium over a live server; a console error fails the test."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings as django_settings
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from people.models import User
from tests.factories import UserFactory
from tests.processes import database_url

os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"  # Playwright's loop runs in the test's thread

CHROMIUM = Path(os.environ.get("WARROOM_CHROMIUM", "/usr/bin/chromium"))
IN_CI = os.environ.get("CI") == "true"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/browser" in item.path.as_posix():
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.enable_socket)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    if not CHROMIUM.exists() and not IN_CI:
        pytest.skip(
            "Chromium is missing: `apt-get install chromium`, or name it in WARROOM_CHROMIUM."
        )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@dataclass(frozen=True, kw_only=True)
class View:
    """One way to look at a page."""

    width: int = 1440
    theme: Literal["dark", "light"] = "dark"
    language: str = "en"

    def __str__(self) -> str:
        return f"{self.width}-{self.theme}-{self.language}"


VIEWS = [
    View(),
    View(theme="light", language="zh-hans"),
    View(width=390, language="zh-hans"),
    View(width=390, theme="light"),
]


@dataclass(kw_only=True)
class Visitor:
    """A person with a browser. `context` is shared by all tabs, like one window."""

    context: BrowserContext
    base: str
    user: User
    faults: list[str] = field(default_factory=list)

    def open(self, path: str) -> Page:
        page = self.context.new_page()
        page.on("console", lambda message: self._heard(message.type, message.text))
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.goto(self.base + path)
        return page

    def _heard(self, kind: str, text: str) -> None:
        expected = (
            "status of 4" in text or "/live/stream" in text
        )  # refusals are answers, not faults
        if kind == "error" and not expected:
            self.faults.append(text)


Visit = Callable[..., Visitor]


@pytest.fixture
def visit(chromium: Browser, live_server: LiveServer) -> Iterator[Visit]:
    """`visit(user, view)` signs somebody in; console errors and policy violations fail the test."""
    visitors: list[Visitor] = []

    def sign_in(user: User | None = None, view: View | None = None) -> Visitor:
        visitor = _visitor(chromium, live_server.url, user or UserFactory.create(), view or View())
        visitors.append(visitor)
        return visitor

    yield sign_in
    faults = [fault for visitor in visitors for fault in visitor.faults]
    for visitor in visitors:
        visitor.context.close()
    assert faults == []


def _visitor(browser: Browser, base: str, user: User, view: View) -> Visitor:
    phone = view.width < 600
    context = browser.new_context(
        viewport={"width": view.width, "height": 844 if phone else 900},
        color_scheme=view.theme,
        is_mobile=phone,
        has_touch=phone,
        permissions=["clipboard-read", "clipboard-write"],
    )
    client = Client()
    client.force_login(user)
    session = client.cookies[django_settings.SESSION_COOKIE_NAME].value
    context.add_cookies(
        [
            {"name": django_settings.SESSION_COOKIE_NAME, "value": session, "url": base},
            {"name": django_settings.LANGUAGE_COOKIE_NAME, "value": view.language, "url": base},
        ]
    )
    return Visitor(context=context, base=base, user=user)


@pytest.fixture
def axe() -> Callable[[Page], list[str]]:
    """`axe(page)` gives the violations as sentences; [] is what a page should have."""

    def violations(page: Page) -> list[str]:
        found: dict[str, Any] = Axe().run(page, options={"runOnly": RULES}).response
        return [
            f"{violation['id']}: {violation['help']} at {node['target']}"
            for violation in found["violations"]
            for node in violation["nodes"]
        ]

    return violations


@pytest.fixture
def streams(live_server: LiveServer, settings: Settings) -> Iterator[str]:
    """The stream of changes as it runs in the product: a small ASGI process on a port of its own."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    url = f"http://localhost:{port}"
    policy = {**settings.CONTENT_SECURITY_POLICY["DIRECTIVES"]}
    settings.CONTENT_SECURITY_POLICY = {
        "DIRECTIVES": {**policy, "connect-src": ["'self'", url]},
    }
    settings.LIVE_URL = url
    with _asgi(port):
        yield url


def _asgi(port: int) -> subprocess.Popen[bytes]:
    environment = {
        **os.environ,
        "DATABASE_URL": database_url(),
        "REDIS_URL": django_settings.REDIS_URL,
        "DJANGO_SETTINGS_MODULE": os.environ["DJANGO_SETTINGS_MODULE"],
    }
    # Open streams would hold up its end: it gets one second.
    granian = [sys.executable, "-m", "granian", "--workers-kill-timeout", "1"]
    command = [*granian, "--interface", "asginl", "--port", str(port)]
    process = _Process([*command, "config.asgi:application"], env=environment)
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            httpx.get(f"http://127.0.0.1:{port}/live/stream")
        except httpx.TransportError:
            time.sleep(0.1)
        else:
            return process
    process.kill()
    raise RuntimeError("the live process did not come up")


class _Process(subprocess.Popen[bytes]):
    def __exit__(self, *exception: object) -> None:
        self.terminate()
        super().__exit__(None, None, None)
