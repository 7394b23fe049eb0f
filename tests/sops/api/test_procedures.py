import pytest
from django.test import Client

from sops.models import ProcedureVersion
from tests.factories import UserFactory
from tests.factories.sops import VersionFactory

pytestmark = pytest.mark.django_db
Procedures = dict[str, ProcedureVersion]


@pytest.fixture
def api(client: Client) -> Client:
    client.force_login(UserFactory.create(viewer=True))
    return client


def test_the_six_procedures_are_listed_with_what_a_shelf_needs(
    api: Client, procedures: Procedures
) -> None:
    rows = api.get("/api/v1/procedures").json()["results"]

    assert {row["failure_class"] for row in rows} == {"TLF", "PSD", "NHG", "NCR", "NIN", "DRV"}
    drv = next(row for row in rows if row["failure_class"] == "DRV")
    assert (drv["ends_by"], drv["reserve"], drv["step_count"]) == (90, 30, 13)
    assert drv["name"] == {"en": "Driver or NPU fault", "zh": "驱动/芯片异常"}
    assert "steps" not in drv


def test_only_the_newest_published_version_is_shown(api: Client, procedures: Procedures) -> None:
    VersionFactory.create(code="DRV", number=2)
    VersionFactory.create(code="DRV", number=3, state="draft", published_at=None)

    rows = api.get("/api/v1/procedures", {"failure_class": "DRV"}).json()["results"]

    assert [row["version"] for row in rows] == [2]


def test_the_detail_has_its_steps_with_branches_that_machines_can_follow(
    api: Client, procedures: Procedures
) -> None:
    answer = api.get("/api/v1/procedures/TLF")

    body = answer.json()
    assert answer["ETag"] == '"1"'
    assert [step["number"] for step in body["steps"]] == list(range(1, 14))
    assert [d["to"] for d in body["steps"][2]["decisions"]] == ["4", "5", "6", "7", "8"]
    assert body["steps"][0]["decisions"][0]["to"] == "PSD"
    assert body["steps"][0]["commands"][0]["run"] == "kubectl get acjob,vcjob -n NS"
    assert body["no_spare"]["at"] == [4, 9]
    assert len(body["common"]["stop_conditions"]) == 5


def test_a_procedure_that_is_not_there_is_not_found(api: Client, procedures: Procedures) -> None:
    assert api.get("/api/v1/procedures/XYZ").status_code == 404


def test_nobody_reads_without_a_token(client: Client, procedures: Procedures) -> None:
    assert client.get("/api/v1/procedures").status_code in (401, 403)
