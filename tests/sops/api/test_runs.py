from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from sops.models import ProcedureVersion, Run
from sops.operations import runs
from sops.states import Action
from tests.factories import NINE_OCLOCK, AudienceFactory, UserFactory
from tests.factories.warroom import IncidentFactory

pytestmark = pytest.mark.django_db
Procedures = dict[str, ProcedureVersion]


@pytest.fixture
def api(client: Client) -> Client:
    client.force_login(UserFactory.create(name="Li Wei", username="liwei"))
    return client


@pytest.fixture
def run(procedures: Procedures) -> Run:
    return begin()


def begin(**facts: Any) -> Run:
    started = runs.follow(number=IncidentFactory.create(**facts).number, at=NINE_OCLOCK)
    assert started is not None
    return started


def act(api: Client, run: Run, action: str, **fields: Any) -> Any:
    url = f"/api/v1/runs/{run.pk}/actions"
    return api.post(url, {"action": action, **fields}, content_type="application/json")


def test_the_runs_of_an_incident(api: Client, run: Run) -> None:
    begin(failure_class="NIN")

    rows = api.get("/api/v1/runs", {"incident": run.incident_number}).json()["results"]

    assert [row["id"] for row in rows] == [run.pk]
    assert (rows[0]["failure_class"], rows[0]["version"], rows[0]["state"]) == ("DRV", 1, "running")
    assert rows[0]["allowed_actions"] == ["start", "done", "fail", "skip", "branch", "abort"]


def test_the_detail_tells_what_each_step_can_do(api: Client, run: Run) -> None:
    body = api.get(f"/api/v1/runs/{run.pk}").json()

    first, second = body["steps"][:2]
    assert first["allowed_actions"] == ["done", "fail", "skip", "branch"]
    assert second["allowed_actions"] == ["start", "skip"]
    assert (first["state"], second["state"]) == ("active", "waiting")
    assert first["over_budget"] == "decide"
    assert first["title"]["zh"] == "认领事件，解读故障码"


def test_a_step_is_done_with_its_output(api: Client, run: Run) -> None:
    answer = act(api, run, "done", step=1, output="  80E01801 \u0000\n", note="L6")

    assert answer.status_code == 200
    first, second = answer.json()["steps"][:2]
    assert (first["state"], first["by"], first["output"]) == ("done", "liwei", "  80E01801 \n")
    assert second["state"] == "active"


def test_doing_it_twice_is_a_conflict_with_the_name(api: Client, run: Run) -> None:
    act(api, run, "done", step=1)

    answer = act(api, run, "done", step=1)

    assert answer.status_code == 409
    assert "Li Wei" in answer.json()["detail"]


def test_every_action_of_the_contract_is_taken(api: Client, run: Run) -> None:
    assert act(api, run, "start").status_code == 200
    assert act(api, run, "fail", step=1, note="no table").status_code == 200
    assert act(api, run, "retry", step=1).status_code == 200
    assert act(api, run, "branch", step=1, to=3).status_code == 200
    assert act(api, run, "skip", step=3, reason="tool broken").status_code == 200
    assert act(api, run, "abort", reason="vendor").status_code == 200
    assert api.get(f"/api/v1/runs/{run.pk}").json()["allowed_actions"] == []


def test_what_is_missing_is_named(api: Client, run: Run) -> None:
    assert act(api, run, "explode").json()["errors"][0]["field"] == "action"
    assert act(api, run, "fail", step=1).json()["errors"][0]["field"] == "note"
    assert act(api, run, "skip", step=1).json()["errors"][0]["field"] == "reason"
    assert act(api, run, "branch", step=1, to="nowhere").status_code == 400
    assert run.steps.get(number=1).state == "active"


def test_a_run_is_started_by_hand(api: Client, procedures: Procedures) -> None:
    incident = IncidentFactory.create(failure_class=None)
    body = {"incident": incident.number, "failure_class": "NHG"}

    answer = api.post("/api/v1/runs", body, content_type="application/json")

    assert answer.status_code == 201
    assert answer.json()["failure_class"] == "NHG"


def test_a_viewer_reads_and_acts_not(client: Client, run: Run) -> None:
    client.force_login(UserFactory.create(viewer=True))

    assert client.get(f"/api/v1/runs/{run.pk}").json()["allowed_actions"] == []
    assert act(client, run, "done", step=1).status_code == 403
    assert run.steps.get(number=1).state == "active"


def test_who_may_not_see_the_incident_sees_no_run(api: Client, procedures: Procedures) -> None:
    hidden = begin(audience=AudienceFactory.create())

    assert api.get("/api/v1/runs").json()["results"] == []
    assert api.get(f"/api/v1/runs/{hidden.pk}").status_code == 404
    assert act(api, hidden, "done", step=1).status_code == 404


def test_a_list_of_runs_costs_the_same_however_long(
    api: Client, run: Run, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(9):
        begin()

    with django_assert_max_num_queries(9):
        rows = api.get("/api/v1/runs").json()["results"]

    assert len(rows) == 10


def test_unknown_filters_values_are_refused(api: Client, run: Run) -> None:
    assert api.get("/api/v1/runs", {"state": "walking"}).status_code == 400


def test_the_list_is_exported(api: Client, run: Run) -> None:
    answer = api.get("/api/v1/runs/export.csv")

    text = b"".join(answer.streaming_content).decode()  # type: ignore[attr-defined]
    assert text.splitlines()[0].startswith("\ufeffid,incident,failure_class")
    assert f"{run.pk},{run.incident_number},DRV" in text


def test_the_words_are_those_of_the_contract() -> None:
    assert list(Action.values) == ["start", "done", "fail", "retry", "skip", "branch", "abort"]
