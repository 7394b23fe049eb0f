"""
The compose file and the supervisor start the same processes.

There is no Docker engine here: the file is read, compared with the table, and the very commands it
names run in every test that starts the product.
"""

import re
from typing import Any

import pytest
import yaml

from config.stack import table
from config.stack.layout import ROOT

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, Any] = COMPOSE["services"]


@pytest.mark.parametrize("process", table.PROCESSES, ids=lambda process: process.name)
def test_every_process_of_the_table_is_a_service_with_the_very_same_command(
    process: table.Process,
) -> None:
    assert tuple(SERVICES[process.name]["command"]) == process.command


def test_the_services_are_the_table_the_databases_and_the_proxy() -> None:
    processes = {process.name for process in table.PROCESSES}

    assert set(SERVICES) == processes | {"postgres", "valkey", "migrate", "proxy"}
    assert tuple(SERVICES["migrate"]["command"]) == table.MIGRATE


def test_the_databases_are_the_versions_that_the_embedded_run_brings() -> None:
    assert SERVICES["postgres"]["image"] == "postgres:18"
    assert SERVICES["valkey"]["image"] == "valkey/valkey:9"


def test_nobody_but_the_one_shot_knows_the_owner_of_the_tables() -> None:
    knowing = {n for n, s in SERVICES.items() if "DATABASE_OWNER_URL" in s.get("environment", {})}

    assert knowing == {"migrate"}


def test_nothing_starts_before_the_tables_are_there() -> None:
    for process in table.PROCESSES:
        condition = SERVICES[process.name]["depends_on"]["migrate"]["condition"]
        assert condition == "service_completed_successfully"


def test_every_secret_must_be_given() -> None:
    text = (ROOT / "docker-compose.yml").read_text()

    for name in re.findall(r"\$\{(\w*(?:PASSWORD|SECRET)\w*)[^}]*\}", text):
        assert f"${{{name}:?" in text


def test_the_proxy_leads_streams_and_requests_to_services_that_exist() -> None:
    caddyfile = (ROOT / "deploy" / "Caddyfile").read_text()

    upstreams = dict(re.findall(r"reverse_proxy (\S+):(\d+)", caddyfile))
    assert upstreams == {"live": "8000", "web": "8000"}
    assert upstreams.keys() <= SERVICES.keys()
    assert "tls internal" in caddyfile
