"""Debian's Alertmanager, configured as docs/connect/alertmanager.md says, against the real product."""

import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest

from config.stack.layout import ROOT, free_port
from config.stack.running import Stack

pytestmark = [
    pytest.mark.journey,
    pytest.mark.timeout(600),
    pytest.mark.skipif(
        shutil.which("prometheus-alertmanager") is None,
        reason="needs Debian's Alertmanager: apt-get install prometheus-alertmanager",
    ),
]
PAGE = ROOT / "docs" / "connect" / "alertmanager.md"
LABELS = {
    "alertname": "NPUErrorCodeWarning",
    "severity": "critical",
    "region": "ulanqab",
    "node": "sn05-n17",
    "npu": "3",
    "fault_code": "80E01801",
}
T = TypeVar("T")


@pytest.fixture
def product(tmp_path: Path) -> Iterator[Stack]:
    with Stack(tmp_path / "var") as stack:
        yield stack


def secret(stack: Stack, *words: str) -> str:
    """The last word that a verb of manage.py prints."""
    return stack.manage(*words).split()[-1]


def configuration(stack: Stack, key: str) -> str:
    """The first YAML block of the page, with the reader's own address and key."""
    found = re.search(r"```yaml\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert found is not None
    return found.group(1).replace("http://127.0.0.1:8000", stack.base_url).replace("YOUR_KEY", key)


@pytest.fixture
def alertmanager(product: Stack, tmp_path: Path) -> Iterator[str]:
    key = secret(product, "create_source", "--kind", "alertmanager", "--name", "am")
    path, port = tmp_path / "alertmanager.yml", free_port()
    path.write_text(configuration(product, key))
    process = subprocess.Popen(
        [
            "prometheus-alertmanager",
            f"--config.file={path}",
            f"--storage.path={tmp_path / 'am'}",
            f"--web.listen-address=127.0.0.1:{port}",
            "--cluster.listen-address=",
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        url = f"http://127.0.0.1:{port}"
        until(lambda: _ready(url), seconds=60)
        yield url
    finally:
        process.terminate()
        process.wait(20)


def _ready(url: str) -> bool:
    try:
        return httpx.get(f"{url}/-/ready").status_code == 200
    except httpx.TransportError:
        return False


def until(look: Callable[[], T], *, seconds: float) -> T:
    """What `look` finds, as soon as it finds something."""
    deadline = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.25)
    return found


def tell(url: str, *, starts_at: datetime, ends_at: datetime | None = None) -> None:
    """What Prometheus posts to Alertmanager's API v2."""
    alert: dict[str, Any] = {
        "labels": LABELS,
        "annotations": {"summary": "HBM multi-bit ECC on card 3"},
        "startsAt": starts_at.isoformat(),
    }
    if ends_at:
        alert["endsAt"] = ends_at.isoformat()
    httpx.post(f"{url}/api/v2/alerts", json=[alert]).raise_for_status()


def test_an_alert_that_fires_and_resolves_arrives_as_it_was(
    product: Stack, alertmanager: str
) -> None:
    token = secret(product, "create_token", "--user", "admin", "--scopes", "read")
    headers = {"Authorization": f"Bearer {token}"}

    def alerts(state: str) -> list[dict[str, Any]]:
        url = f"{product.base_url}/api/v1/alerts?state={state}"
        rows: list[dict[str, Any]] = httpx.get(url, headers=headers).json()["results"]
        return rows

    begun = datetime.now(UTC) - timedelta(minutes=1)  # noqa: TID251 - the outside world's clock
    tell(alertmanager, starts_at=begun)
    (firing,) = until(lambda: alerts("firing"), seconds=60)
    ended = datetime.now(UTC)  # noqa: TID251
    tell(alertmanager, starts_at=begun, ends_at=ended)
    (resolved,) = until(lambda: alerts("resolved"), seconds=90)

    assert (firing["name"], firing["fault_code"]) == ("NPUErrorCodeWarning", "80E01801")
    assert firing["component"]["path"].endswith("sn05-n17/3")
    assert resolved["id"] == firing["id"]
    assert abs(datetime.fromisoformat(resolved["ends_at"]) - ended) < timedelta(seconds=1)
    assert httpx.get(f"{product.base_url}/api/v1/receipts", headers=headers).json()["results"]
