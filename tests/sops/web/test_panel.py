from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from sops.models import ProcedureVersion, Run
from sops.operations import runs
from tests.factories import AudienceFactory, UserFactory
from tests.factories.fleet import ComponentFactory
from tests.factories.warroom import ClockFactory, IncidentFactory, RoomFactory

pytestmark = pytest.mark.django_db
Procedures = dict[str, ProcedureVersion]


@pytest.fixture
def page(client: Client) -> Client:
    client.force_login(UserFactory.create(name="Li Wei"))
    return client


def begin(minutes_ago: float = 1, **facts: Any) -> Run:
    opened = timezone.now() - timedelta(minutes=minutes_ago)
    incident = IncidentFactory.create(opened_at=opened, detected_at=opened, **facts)
    RoomFactory.create(incident=incident, opened_at=opened)
    ClockFactory.create(
        incident=incident, started_at=opened, due_at=opened + timedelta(minutes=120)
    )
    run = runs.follow(number=incident.number, at=opened)
    assert run is not None
    return run


def panel(page: Client, run: Run) -> str:
    return page.get(f"/incidents/{run.incident_number}/sop/").content.decode()


def press(page: Client, run: Run, **fields: Any) -> Any:
    return page.post(f"/incidents/{run.incident_number}/sop/runs/{run.pk}/", fields)


def test_the_panel_shows_where_we_are_and_what_is_next(
    page: Client, procedures: Procedures
) -> None:
    text = panel(page, begin())

    assert "SOP · Driver or NPU fault" in text
    assert "0 / 13" in text
    assert "1 of 90 min" in text
    assert "data-clock" in text
    assert text.count("step-now") == 1
    assert "Acknowledge and decode the code" in text
    assert 'hx-trigger="live:incident-' in text


def test_the_panel_speaks_chinese(page: Client, procedures: Procedures) -> None:
    client = Client()
    client.force_login(UserFactory.create(chinese=True))

    text = panel(client, begin())

    assert "认领事件，解读故障码" in text
    assert "驱动/芯片异常" in text
    assert "预期" in text
    assert "Expected" not in text
    assert "Failed…" not in text


def test_commands_have_a_copy_button_and_are_escaped(page: Client, procedures: Procedures) -> None:
    run = begin(failure_class="TLF")
    for number in (1, 2):
        press(page, run, action="done", step=number)

    text = panel(page, run)

    assert "kubectl get pods -n NS -o wide | grep -v Running" in text
    assert 'data-copy="#cmd-now-3-1"' in text


def test_decisions_are_buttons_that_branch(page: Client, procedures: Procedures) -> None:
    run = begin(failure_class="TLF")
    for number in (1, 2):
        press(page, run, action="done", step=number)
    assert 'name="to" value="6"' in panel(page, run)

    answer = press(page, run, step=3, to="6")

    assert answer.status_code == 200
    text = answer.content.decode()
    assert "not on this branch" in text
    assert run.steps.get(number=6).state == "active"


def test_done_keeps_the_output_and_escapes_it(page: Client, procedures: Procedures) -> None:
    run = begin()

    text = press(page, run, action="done", step=1, output="<script>alert(1)</script>").content

    assert b"&lt;script&gt;alert(1)" in text
    assert run.steps.get(number=1).output == "<script>alert(1)</script>"


def test_a_refusal_keeps_what_was_written(page: Client, procedures: Procedures) -> None:
    run = begin()

    answer = press(page, run, action="fail", step=1, output="half a log")

    text = answer.content.decode()
    assert answer.status_code == 400
    assert "Say why in a few words." in text
    assert "half a log</textarea>" in text


@pytest.mark.parametrize(
    ("minutes", "word"), [(2.6, ""), (3.5, "over budget"), (6.5, "commander decides")]
)
def test_a_step_over_its_budget_says_so_in_words(
    page: Client, procedures: Procedures, minutes: float, word: str
) -> None:
    text = panel(page, begin(minutes_ago=minutes))

    assert f"data-step-word>{word}</span>" in text
    assert ("the commander decides – branch" in text) == (minutes > 6)


def test_without_spares_the_branch_is_shown(page: Client, procedures: Procedures) -> None:
    run = begin(region="ulanqab")

    assert "No spare node in this region" in panel(page, run)
    assert "There is no spare card or node." in panel(page, run)


def test_with_spares_the_branch_is_not_shown(page: Client, procedures: Procedures) -> None:
    ComponentFactory.create(
        kind="node", path="ulanqab/sn32/sn32-n01", region="ulanqab", state="spare"
    )
    run = begin(region="ulanqab")

    assert "No spare node in this region" not in panel(page, run)


def test_a_viewer_reads_along_without_buttons(client: Client, procedures: Procedures) -> None:
    client.force_login(UserFactory.create(viewer=True))
    run = begin()

    text = panel(client, run)

    assert "You read along" in text
    assert 'value="done"' not in text
    assert press(client, run, action="done", step=1).status_code == 403


def test_an_unclassified_incident_says_what_to_do_next(
    page: Client, procedures: Procedures
) -> None:
    incident = IncidentFactory.create(failure_class=None)

    text = page.get(f"/incidents/{incident.number}/sop/").content.decode()
    assert "No failure class yet" in text
    assert 'value="NHG"' in text

    page.post(f"/incidents/{incident.number}/sop/start/", {"failure_class": "NHG"})
    assert Run.objects.get().version == procedures["NHG"]


def test_an_ended_run_says_how_it_ended(page: Client, procedures: Procedures) -> None:
    run = begin()

    text = press(page, run, action="abort", note="vendor takes over").content.decode()

    assert "Aborted" in text
    assert "vendor takes over" in text
    assert "Start a procedure by hand" in text


def test_who_may_not_see_the_incident_finds_nothing(page: Client, procedures: Procedures) -> None:
    hidden = begin(audience=AudienceFactory.create())

    assert page.get(f"/incidents/{hidden.incident_number}/sop/").status_code == 404
    assert press(page, hidden, action="done", step=1).status_code == 404
    assert page.get("/incidents/4711/sop/").status_code == 404


@pytest.mark.parametrize(
    "fields", [{}, {"action": "explode"}, {"action": "done"}, {"action": "done", "step": "x"}]
)
def test_nonsense_is_refused_and_changes_nothing(
    page: Client, procedures: Procedures, fields: dict[str, str]
) -> None:
    run = begin()

    assert press(page, run, **fields).status_code == 400
    assert run.steps.get(number=1).state == "active"
