from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from core.errors import NotAllowed, NotFound, Refused
from sops.models import ProcedureVersion, Run
from sops.operations import runs, steps
from tests.factories import NINE_OCLOCK, AudienceFactory, UserFactory
from tests.factories.sops import VersionFactory
from tests.factories.warroom import IncidentFactory
from warroom.models import Incident
from warroom.states import IncidentState

pytestmark = pytest.mark.django_db
Procedures = dict[str, ProcedureVersion]
SOON = NINE_OCLOCK + timedelta(seconds=2)
LATER = NINE_OCLOCK + timedelta(minutes=20)


def kinds(incident: Incident) -> list[str]:
    return list(incident.timeline.order_by("id").values_list("kind", flat=True))


def test_an_opened_incident_gets_the_run_of_its_class(procedures: Procedures) -> None:
    audience = AudienceFactory.create()
    incident = IncidentFactory.create(region="ulanqab", audience=audience, is_drill=True)

    run = runs.follow(number=incident.number, at=SOON)

    assert run is not None
    assert run.version == procedures["DRV"]
    assert (run.opened_at, run.started_at) == (NINE_OCLOCK, SOON)
    assert (run.region, run.audience, run.is_drill) == ("ulanqab", audience, True)
    assert [s.number for s in run.steps.filter(state="active")] == [1]
    assert run.steps.count() == 13
    assert kinds(incident) == ["sop_run_started"]


def test_told_twice_it_starts_once(procedures: Procedures) -> None:
    incident = IncidentFactory.create()

    first = runs.follow(number=incident.number, at=SOON)
    second = runs.follow(number=incident.number, at=LATER)

    assert first == second
    assert Run.objects.count() == 1


@pytest.mark.parametrize("state", ["proposed", "false_alarm", "merged", "closed", "rejected"])
def test_an_incident_that_is_not_live_gets_no_run(procedures: Procedures, state: str) -> None:
    incident = IncidentFactory.create(state=state)

    assert runs.follow(number=incident.number, at=SOON) is None
    assert not Run.objects.exists()


def test_without_a_class_or_a_procedure_there_is_no_run(procedures: Procedures) -> None:
    unclassified = IncidentFactory.create(failure_class=None)
    unknown = IncidentFactory.create(failure_class="XYZ")

    assert runs.follow(number=unclassified.number, at=SOON) is None
    assert runs.follow(number=unknown.number, at=SOON) is None
    assert runs.follow(number=4711, at=SOON) is None


def test_an_incident_has_one_running_run_at_most(procedures: Procedures) -> None:
    incident = IncidentFactory.create()
    run = runs.follow(number=incident.number, at=SOON)
    assert run is not None

    with pytest.raises(IntegrityError), transaction.atomic():
        Run.objects.create(
            incident_number=incident.number, version=run.version, opened_at=SOON, started_at=SOON
        )


def test_another_class_closes_the_run_with_its_done_steps_kept(procedures: Procedures) -> None:
    incident, by = IncidentFactory.create(), UserFactory.create()
    old = runs.follow(number=incident.number, at=SOON)
    assert old is not None
    steps.done(run_id=old.pk, step=1, output="level L5", note="", by=by, at=SOON)
    Incident.objects.filter(pk=incident.pk).update(failure_class="NIN")

    new = runs.follow(number=incident.number, at=LATER)

    old.refresh_from_db()
    assert (old.state, old.closed_reason) == ("aborted", "reclassified")
    assert old.steps.get(number=1).output == "level L5"
    assert old.steps.get(number=2).state == "skipped"
    assert new is not None
    assert new.version == procedures["NIN"]
    assert new.opened_at == NINE_OCLOCK
    assert runs.follow(number=incident.number, at=LATER) == new


def test_a_run_keeps_the_version_it_began_with(procedures: Procedures) -> None:
    incident = IncidentFactory.create()
    run = runs.follow(number=incident.number, at=SOON)
    VersionFactory.create(code="DRV", number=2)

    again = runs.follow(number=incident.number, at=LATER)
    other = runs.follow(number=IncidentFactory.create().number, at=LATER)

    assert run == again
    assert again is not None
    assert other is not None
    assert (again.version.number, other.version.number) == (1, 2)


def test_a_run_that_somebody_aborted_does_not_come_back_by_itself(procedures: Procedures) -> None:
    incident, by = IncidentFactory.create(), UserFactory.create()
    run = runs.follow(number=incident.number, at=SOON)
    assert run is not None

    runs.abort(run_id=run.pk, reason="handled by the vendor", by=by, at=LATER)
    runs.follow(number=incident.number, at=LATER)

    run.refresh_from_db()
    assert (run.state, run.closed_by, run.closed_note) == ("aborted", by, "handled by the vendor")
    assert Run.objects.count() == 1


@pytest.mark.parametrize(
    ("changes", "state", "reason"),
    [
        ({"state": "merged"}, "aborted", "merged"),
        ({"state": "false_alarm"}, "aborted", "closed"),
        ({"state": "closed", "restored_at": LATER}, "done", "restored"),
        ({"state": "closed"}, "aborted", "closed"),
    ],
)
def test_the_run_ends_with_its_incident(
    procedures: Procedures, changes: dict[str, object], state: str, reason: str
) -> None:
    incident = IncidentFactory.create()
    run = runs.follow(number=incident.number, at=SOON)
    assert run is not None
    Incident.objects.filter(pk=incident.pk).update(**changes)

    runs.follow(number=incident.number, at=LATER)
    runs.follow(number=incident.number, at=LATER + timedelta(minutes=1))

    run.refresh_from_db()
    assert (run.state, run.closed_reason, run.closed_at) == (state, reason, LATER)
    assert kinds(incident).count("sop_run_closed") == 1


def test_a_restored_incident_keeps_its_run(procedures: Procedures) -> None:
    incident = IncidentFactory.create()
    run = runs.follow(number=incident.number, at=SOON)
    Incident.objects.filter(pk=incident.pk).update(
        state=IncidentState.RESTORED, restored_at=LATER, failure_class="NIN"
    )

    assert runs.follow(number=incident.number, at=LATER) == run
    assert Run.objects.get().state == "running"


def test_runs_are_seen_by_whoever_sees_the_incident(procedures: Procedures) -> None:
    incident = IncidentFactory.create()
    runs.follow(number=incident.number, at=SOON)
    audience = AudienceFactory.create()
    Incident.objects.filter(pk=incident.pk).update(audience=audience, region="shanghai")

    runs.follow(number=incident.number, at=LATER)

    run = Run.objects.get()
    assert (run.region, run.audience) == ("shanghai", audience)


def test_an_unclassified_incident_can_be_walked_by_hand(procedures: Procedures) -> None:
    incident, by = IncidentFactory.create(failure_class=None), UserFactory.create()

    run = runs.start(number=incident.number, failure_class="NHG", by=by, at=LATER)

    assert run.version == procedures["NHG"]
    assert runs.follow(number=incident.number, at=LATER) == run
    assert incident.timeline.get().actor == by


def test_starting_by_hand_is_refused_with_a_reason(procedures: Procedures) -> None:
    incident, by = IncidentFactory.create(failure_class=None), UserFactory.create()
    at = SOON

    with pytest.raises(NotAllowed, match="Viewers only read"):
        runs.start(
            number=incident.number, failure_class="NHG", by=UserFactory.create(viewer=True), at=at
        )
    with pytest.raises(Refused, match="no failure class"):
        runs.start(number=incident.number, failure_class="", by=by, at=at)
    with pytest.raises(NotFound, match="XYZ"):
        runs.start(number=incident.number, failure_class="XYZ", by=by, at=at)
    hidden = IncidentFactory.create(audience=AudienceFactory.create())
    with pytest.raises(NotFound):
        runs.start(number=hidden.number, failure_class="NHG", by=by, at=at)
    runs.start(number=incident.number, failure_class="NHG", by=by, at=at)
    with pytest.raises(Refused, match="runs already"):
        runs.start(number=incident.number, failure_class="NHG", by=by, at=at)
    assert Run.objects.count() == 1
