"""The alert pages in Chromium, in each theme."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import VIEWS, View, Visit

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("view", VIEWS, ids=str)
def test_the_tab_one_stands_on_is_readable(
    visit: Visit, view: View, axe: Callable[[Page], list[str]]
) -> None:
    visitor = visit(view=view)

    for path in ("/alerts/", "/receipts/"):
        page = visitor.open(path)
        page.wait_for_timeout(300)
        assert (path, axe(page)) == (path, [])
