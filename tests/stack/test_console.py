"""What must never reach a log, and what must stay readable."""

import pytest

from config.stack.console import mask


@pytest.mark.parametrize(
    ("line", "masked"),
    [
        ("POST /hooks/alertmanager/k3y-of-a-source 202", "POST /hooks/alertmanager/*** 202"),
        ("POST /hooks/coc/abc?x=1", "POST /hooks/coc/***?x=1"),
        ("POST /hooks/alerta/abc/alert", "POST /hooks/alerta/***/alert"),
        ("?integration_key=abc&x=1", "?integration_key=***&x=1"),
        ("Authorization: Bearer abc.def", "Authorization: Bearer ***"),
        ("'Authorization': 'Key abc'", "'Authorization': 'Key ***'"),
        ("redis://:pw@127.0.0.1:6379/0", "redis://:***@127.0.0.1:6379/0"),
        ("postgres://app:pw@db/warroom", "postgres://app:***@db/warroom"),
    ],
)
def test_secrets_are_masked(line: str, masked: str) -> None:
    assert mask(line) == masked


@pytest.mark.parametrize(
    "line",
    [
        "POST /hooks/alertmanager 202",
        "POST /hooks/pagerduty/v2/enqueue",
        "GET /hooks/receipts/0196f0c0-0000-7000-8000-000000000000",
        "GET /incidents/12/?tab=timeline",
        "postgres://warroom_app@/warroom?host=/tmp/x",
    ],
)
def test_everything_else_stays_readable(line: str) -> None:
    assert mask(line) == line
