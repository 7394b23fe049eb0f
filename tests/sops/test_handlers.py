from datetime import timedelta

import pytest

from core.operations import events
from core.registry import handlers_of, integrity, menu, room_panels, sweeps
from sops import handlers
from sops.models import ProcedureVersion, Run
from tests.factories import NINE_OCLOCK
from tests.factories.warroom import IncidentFactory
from warroom.models import Incident

pytestmark = pytest.mark.django_db
KINDS = [
    "incident_opened",
    "incident_changed",
    "incident_reclassified",
    "incident_merged",
    "incident_closed",
    "room_opened",
    "room_stood_down",
]


@pytest.mark.parametrize("kind", KINDS)
def test_every_event_of_an_incident_is_followed(kind: str) -> None:
    assert handlers.follow_incident in handlers_of(kind)


def test_an_event_starts_the_run_however_often_it_comes(
    procedures: dict[str, ProcedureVersion],
) -> None:
    incident = IncidentFactory.create()

    for _ in range(2):
        events.publish(kind="incident_opened", number=incident.number)
        events.dispatch_due(at=NINE_OCLOCK + timedelta(days=365 * 10))

    assert Run.objects.get().incident_number == incident.number


def test_a_merged_incident_loses_its_run_and_the_other_keeps_its_own(
    procedures: dict[str, ProcedureVersion],
) -> None:
    survivor, merged = IncidentFactory.create(), IncidentFactory.create()
    for incident in (survivor, merged):
        handlers.follow_incident(number=incident.number)
    Incident.objects.filter(pk=merged.pk).update(state="merged", merged_into=survivor)

    handlers.follow_incident(number=merged.number, into=survivor.number)

    assert Run.objects.get(incident_number=merged.number).closed_reason == "merged"
    assert Run.objects.get(incident_number=survivor.number).running


def test_the_registries_know_the_sops() -> None:
    assert "sops" in sweeps
    panel, entry = room_panels.get("sop"), menu.get("sops")
    assert panel is not None
    assert entry is not None
    assert (panel.url_name, panel.column) == ("sops:panel", "right")
    assert entry.url_name == "sops:library"


def test_a_class_without_a_procedure_is_named(procedures: dict[str, ProcedureVersion]) -> None:
    missing = integrity.get("sops")
    assert missing is not None
    assert missing() == []


def test_a_site_loads_the_procedures_once() -> None:
    assert handlers.load_procedures(NINE_OCLOCK) == "procedures: 6 published"
    assert handlers.load_procedures(NINE_OCLOCK) == "procedures: 0 published"
