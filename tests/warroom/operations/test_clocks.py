from datetime import datetime, timedelta

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction

from notifications.models import Delivery
from people.models import User
from people.queries import on_duty
from tests.factories import NINE_OCLOCK, UserFactory
from tests.factories.warroom import (
    AlertGroupFactory,
    ClockFactory,
    ClockStepFactory,
    IncidentFactory,
    RoomFactory,
)
from tests.warroom.conftest import person
from warroom.models import ClockStep, Incident, Room
from warroom.operations import actions, clocks, incidents, restoration

pytestmark = pytest.mark.django_db
DEADLINE = NINE_OCLOCK + timedelta(hours=2)
INSTANT = timedelta(microseconds=1)


def minute(count: float) -> datetime:
    return NINE_OCLOCK + timedelta(minutes=count)


def opened() -> Incident:
    incident = incidents.follow_group(group_id=AlertGroupFactory.create().pk, at=NINE_OCLOCK)
    assert incident is not None
    return incident


def take(incident: Incident, action: str, by: User, at: datetime, **data: object) -> Incident:
    return actions.take(number=incident.number, action=action, data=data, by=by, at=at)


def kinds(incident: Incident) -> list[str]:
    return list(incident.timeline.order_by("at", "pk").values_list("kind", flat=True))


@pytest.mark.parametrize(("at", "fired"), [(DEADLINE - INSTANT, 0), (DEADLINE, 1)])
def test_a_step_fires_on_its_deadline_and_not_before(at: datetime, fired: int) -> None:
    ClockStepFactory.create(due_at=DEADLINE)

    assert clocks.fire_due(at=at) == fired


def test_a_step_fires_once(site: None) -> None:
    step = ClockStepFactory.create()

    assert [clocks.fire_due(at=DEADLINE), clocks.fire_due(at=DEADLINE)] == [1, 0]
    assert kinds(step.incident) == ["restore_breached"]


def test_a_late_sweep_blames_the_deadline_and_shows_its_lateness(site: None) -> None:
    step = ClockStepFactory.create()

    clocks.fire_due(at=DEADLINE + timedelta(minutes=40))

    row = step.incident.timeline.get()
    assert (row.at, row.recorded_at) == (DEADLINE, DEADLINE + timedelta(minutes=40))
    step.clock.refresh_from_db()
    assert (step.clock.state, step.clock.breached_at) == ("breached", DEADLINE)


def test_nobody_is_paged_by_an_incident_of_last_spring(site: None) -> None:
    step = ClockStepFactory.create()

    clocks.fire_due(at=DEADLINE + timedelta(days=90))

    step.refresh_from_db()
    step.clock.refresh_from_db()
    assert (step.state, step.clock.state) == ("expired", "breached")
    assert kinds(step.incident) == ["step_expired"]
    assert not Delivery.objects.exists()


def test_the_ladder_calls_backups_then_managers_then_the_next_level(site: None) -> None:
    incident = opened()
    hw = on_duty("HW", NINE_OCLOCK, "ulanqab")

    for count, user in ((3, hw.backup), (6, hw.manager), (8, hw.next_level)):
        assert not incident.participants.filter(user=user).exists()
        clocks.fire_due(at=minute(count))
        assert "HW" in incident.participants.get(user=user).domains

    assert incident.participants.get(user=hw.primary).state == "asked"


def test_who_is_consulted_or_informed_hears_of_it_once_and_is_not_in_the_room(site: None) -> None:
    incident = opened()
    told = Delivery.objects.filter(template="general", channel="inbox")
    assert not told.exists()

    clocks.fire_due(at=minute(1))

    consulted = {person(d) for d in ("FAC", "FRM", "TAM", "SUP", "NET", "STO", "JOB")}
    assert {d.person for d in told} == consulted - {None}
    assert not incident.participants.filter(user__in=consulted).exists()


def test_the_ladder_calls_only_for_who_is_missing(site: None) -> None:
    incident = opened()
    take(incident, "join", person("HW"), minute(2))

    clocks.fire_due(at=minute(3))

    backup = on_duty("HW", NINE_OCLOCK, "ulanqab").backup
    assert not incident.participants.filter(user=backup).exists()
    assert incident.participants.filter(user=on_duty("DRV", NINE_OCLOCK).backup).exists()


def test_assembled_is_the_instant_the_last_required_person_joined(site: None) -> None:
    incident = opened()
    for count, domain in enumerate(("SRE", "PLT", "HW", "DRV"), start=1):
        incident = take(incident, "join", person(domain), minute(count))

    assert (incident.state, incident.assembled_at) == ("assembled", minute(4))
    clock = incident.clocks.get(kind="assemble")
    assert (clock.state, clock.met_at) == ("met", minute(4))
    assert incident.room.state == "active"
    clocks.fire_due(at=minute(59))
    assert "assemble_breached" not in kinds(incident)


def test_a_missed_assembly_names_who_is_missing_and_never_silences_the_restore_clock(
    site: None,
) -> None:
    incident = opened()
    for domain in ("SRE", "PLT", "HW"):
        take(incident, "join", person(domain), minute(2))

    clocks.fire_due(at=minute(10))

    breach = incident.timeline.get(kind="assemble_breached")
    assert (breach.at, breach.params["missing"]) == (minute(10), ["DRV"])
    assert incident.clocks.get(kind="assemble").state == "breached"
    assert Room.objects.get(incident=incident).state == "active"
    assert incident.clocks.get(kind="restore").state == "running"
    clocks.fire_due(at=minute(120))
    assert incident.clocks.get(kind="restore").state == "breached"


def test_joining_after_the_breach_assembles_late(site: None) -> None:
    incident = opened()
    for domain in ("SRE", "PLT", "HW"):
        take(incident, "join", person(domain), minute(2))

    incident = take(incident, "join", person("DRV"), minute(12))

    clock = incident.clocks.get(kind="assemble")
    assert (clock.state, clock.breached_at, clock.met_at) == ("met_late", minute(10), minute(12))
    assert kinds(incident).index("assemble_breached") < kinds(incident).index("clock_met")


def test_after_60_minutes_the_tier_is_raised_and_tam_called(site: None) -> None:
    incident = opened()

    clocks.fire_due(at=minute(60))

    incident.refresh_from_db()
    assert (incident.tier, incident.tier_reason["slug"]) == (2, "sixty_minutes")
    assert "TAM" in incident.domains_called
    assert incident.participants.filter(user=person("TAM")).exists()
    clocks.fire_due(at=minute(63))
    assert incident.participants.filter(user=on_duty("TAM", NINE_OCLOCK).backup).exists()


def test_90_minutes_advise_the_safest_restart_and_120_are_a_breach(site: None) -> None:
    incident = opened()

    clocks.fire_due(at=minute(90))
    assert kinds(incident)[-1] == "safest_restart"
    clocks.fire_due(at=minute(120))
    assert kinds(incident)[-1] == "restore_breached"


def test_a_restored_incident_is_not_raised_and_not_breached(site: None) -> None:
    incident = opened()
    restoration.prove(job_id="pt-moe-700b-0318", at=minute(40), steps=10, ratio=0.97)

    clocks.fire_due(at=minute(200))

    incident.refresh_from_db()
    assert (incident.state, incident.tier, incident.restored_at) == ("restored", 3, minute(40))
    assert incident.clocks.get(kind="restore").state == "met"


def test_after_a_revoke_the_old_due_time_goes_on_and_fired_steps_stay_fired(site: None) -> None:
    incident = opened()
    clocks.fire_due(at=minute(61))
    restoration.prove(job_id="pt-moe-700b-0318", at=minute(70), steps=10, ratio=0.97)

    incident = take(
        incident, "revoke_restored", person("SRE"), minute(80), reason="It stalls again"
    )
    clocks.fire_due(at=minute(121))

    restore = incident.clocks.get(kind="restore")
    assert (restore.state, restore.breached_at) == ("breached", minute(120))
    assert (incident.state, incident.room.state, incident.relapses) == ("restoring", "active", 1)
    assert kinds(incident).count("tier_raised") == 1
    assert not incident.jobs.exclude(restored_at=None).exists()


def test_a_proof_heard_late_but_in_time_corrects_the_breach(site: None) -> None:
    incident = opened()
    clocks.fire_due(at=minute(121))

    restoration.prove(job_id="pt-moe-700b-0318", at=minute(119), steps=10, ratio=0.97)

    clock = incident.clocks.get(kind="restore")
    assert (clock.state, clock.met_at, clock.breached_at) == ("met", minute(119), minute(120))


def test_acknowledged_without_joining_is_asked_again_after_five_minutes(site: None) -> None:
    incident = opened()
    take(incident, "acknowledge", person("HW"), minute(1))

    clocks.fire_due(at=minute(6) - INSTANT)
    assert incident.participants.get(user=person("HW")).state == "acknowledged"
    clocks.fire_due(at=minute(6))

    assert incident.participants.get(user=person("HW")).state == "asked"
    assert "asked_again" in kinds(incident)


def test_joining_cancels_the_question(site: None) -> None:
    incident = opened()
    take(incident, "acknowledge", person("HW"), minute(1))
    take(incident, "join", person("HW"), minute(2))

    clocks.fire_due(at=minute(9))

    assert "asked_again" not in kinds(incident)
    assert incident.participants.get(user=person("HW")).state == "joined"


def test_an_unanswered_hand_over_goes_back_to_the_giver(site: None) -> None:
    incident, taker = opened(), UserFactory.create()
    giver = person("SRE")
    take(incident, "hand_over", giver, minute(20), to=taker.username, note="Shift ends")

    clocks.fire_due(at=minute(30))

    incident.refresh_from_db()
    assert incident.owner == incident.commander == giver
    offer = incident.hand_overs.get()
    assert (offer.state, offer.clock.state) == ("expired", "breached")
    assert incident.timeline.get(kind="hand_over_expired").at == minute(30)


def test_the_clock_scale_shortens_the_minutes_of_the_policy(site: None, settings: object) -> None:
    settings.CLOCK_SCALE = 60.0  # type: ignore[attr-defined]

    incident = opened()

    assert incident.clocks.get(kind="assemble").due_at == NINE_OCLOCK + timedelta(seconds=10)
    clocks.fire_due(at=NINE_OCLOCK + timedelta(seconds=3))
    assert incident.participants.filter(user=on_duty("DRV", NINE_OCLOCK).backup).exists()


def test_later_policies_do_not_change_running_incidents(site: None) -> None:
    incident = opened()

    assert incident.policy["tiers"]["3"]["assemble"][-1]["minute"] == 10
    assert incident.policy["scale"] == 1.0


def test_the_command_lists_without_firing_and_then_fires(
    site: None, capsys: pytest.CaptureFixture[str]
) -> None:
    step = ClockStepFactory.create()
    RoomFactory.create(incident=step.incident)

    call_command("fire_due_clocks", "--at", DEADLINE.isoformat(), "--dry-run")
    assert "restore_breach" in capsys.readouterr().out
    assert ClockStep.objects.get().state == "pending"
    call_command("fire_due_clocks", "--at", DEADLINE.isoformat())

    assert "1 fired" in capsys.readouterr().out


def test_only_one_clock_of_a_kind_runs(db: None) -> None:
    incident = IncidentFactory.create()
    ClockFactory.create(incident=incident)

    with pytest.raises(IntegrityError), transaction.atomic():
        ClockFactory.create(incident=incident)
