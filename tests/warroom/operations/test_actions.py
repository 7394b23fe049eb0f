from datetime import datetime, timedelta
from typing import Any

import pytest

from core.errors import Invalid, NotAllowed, NotFound, Refused
from core.models import Event
from fleet.models import Component
from notifications.models import Delivery
from people.models import User
from people.queries import on_duty
from tests.factories import NINE_OCLOCK, AudienceFactory, UserFactory
from tests.factories.warroom import AlertGroupFactory
from tests.warroom.conftest import opened, person, take
from warroom.models import Incident
from warroom.operations import incidents, restoration
from warroom.operations.closing import GatesMissing
from warroom.states import Action

pytestmark = pytest.mark.django_db
JOB = "pt-moe-700b-0318"


def minute(count: float) -> datetime:
    return NINE_OCLOCK + timedelta(minutes=count)


def restored() -> Incident:
    incident = opened()
    restoration.prove(job_id=JOB, at=minute(40), steps=10, ratio=0.97)
    return incident


def ready_to_stand_down() -> Incident:
    incident = restored()
    take(incident, "reclassify", person("SRE"), minute(41), failure_class="DRV")
    return take(incident, "confirm_root", person("SRE"), minute(41))


FACTS: dict[str, Any] = {
    "occurred_at": "2026-03-02T08:59:20+00:00",
    "impact": "interrupted",
    "what_restored": "Restarted from the last checkpoint without the broken card.",
    "jobs": [{"job_id": JOB, "checkpoint_step": 184200, "lost_steps": 0}],
}


def test_what_a_person_may_not_see_is_not_there(site: None) -> None:
    incident = opened(audience=AudienceFactory.create())

    with pytest.raises(NotFound):
        take(incident, "join", UserFactory.create(), minute(1))


@pytest.mark.parametrize("action", ["acknowledge", "join", "note", "raise_tier", "mark_restored"])
def test_a_viewer_only_reads(site: None, action: str) -> None:
    incident, viewer = opened(), UserFactory.create(viewer=True)

    with pytest.raises(NotAllowed) as refusal:
        take(incident, action, viewer, minute(1), text="x", tier=2, reason="y")

    assert "engineer" in str(refusal.value)
    assert incident.allowed_actions_for(viewer) == []


@pytest.mark.parametrize("fields", [{"role": "scribe", "user": "far"}, {"to": "far"}])
def test_nobody_is_given_a_part_in_what_they_may_not_see(
    site: None, fields: dict[str, Any]
) -> None:
    incident = opened()
    UserFactory.create(username="far", regions=["elsewhere"])
    action = "hand_over" if "to" in fields else "assign"

    with pytest.raises(Invalid) as refusal:
        take(incident, action, person("SRE"), minute(1), **fields)

    assert "may not see" in str(refusal.value)


@pytest.mark.parametrize("action", ["assign", "stand_down", "false_alarm", "take_command"])
def test_a_refusal_says_who_may(site: None, action: str) -> None:
    incident = restored() if action == "stand_down" else opened()

    with pytest.raises(NotAllowed) as refusal:
        take(
            incident, action, UserFactory.create(), minute(41), reason="x", role="scribe", user="y"
        )

    assert str(person("SRE")) in str(refusal.value)


def test_an_unknown_word_is_answered_with_the_known_ones(site: None) -> None:
    with pytest.raises(Invalid) as refusal:
        take(opened(), "explode", person("SRE"), minute(1))

    assert "join" in refusal.value.fields["action"][0]


def test_every_missing_field_is_named_at_once(site: None) -> None:
    with pytest.raises(Invalid) as refusal:
        take(opened(), "assign", person("SRE"), minute(1))

    assert set(refusal.value.fields) == {"role", "user"}


def test_the_first_acknowledgement_counts(site: None) -> None:
    incident = opened()

    take(incident, "acknowledge", person("HW"), minute(1))
    incident = take(incident, "acknowledge", person("PLT"), minute(2))

    assert (incident.state, incident.acknowledged_at) == ("responding", minute(1))


def test_answering_cancels_what_is_queued_for_that_person_only(site: None) -> None:
    incident = opened()
    Delivery.objects.filter(incident_number=incident.number).exclude(channel="inbox").update(
        state="queued"
    )
    queued = Delivery.objects.filter(incident_number=incident.number, state="queued")
    others = queued.exclude(person=person("HW")).count()

    take(incident, "join", person("HW"), minute(1))

    assert not queued.filter(person=person("HW")).exists()
    assert queued.count() == others


def test_who_cannot_come_is_replaced_by_the_backup_at_once(site: None) -> None:
    incident, hw = opened(), on_duty("HW", NINE_OCLOCK, "ulanqab")
    assert hw.primary is not None

    take(incident, "decline", hw.primary, minute(1), reason="On a train")

    assert incident.participants.get(user=hw.primary).state == "declined"
    assert incident.participants.get(user=hw.backup).domains == ["HW"]


def test_who_was_not_asked_cannot_decline(site: None) -> None:
    with pytest.raises(Refused):
        take(opened(), "decline", UserFactory.create(), minute(1))


def test_joining_for_a_domain_counts_for_it(site: None) -> None:
    incident, volunteer = opened(), UserFactory.create()
    for domain in ("SRE", "PLT", "HW"):
        take(incident, "join", person(domain), minute(1))

    incident = take(incident, "join", volunteer, minute(2), role="DRV")

    assert incident.assembled_at == minute(2)


def test_joining_as_something_unknown_changes_nothing(site: None) -> None:
    incident = opened()

    with pytest.raises(Invalid):
        take(incident, "join", person("HW"), minute(1), role="hero")

    assert incident.participants.get(user=person("HW")).state == "asked"


def test_who_left_can_join_again(site: None) -> None:
    incident = opened()
    take(incident, "join", person("HW"), minute(1))
    take(incident, "leave", person("HW"), minute(2))

    incident = take(incident, "join", person("HW"), minute(3))

    assert incident.participants.get(user=person("HW")).state == "joined"


def test_the_backup_of_sre_may_take_command(site: None) -> None:
    incident, sre = opened(), on_duty("SRE", NINE_OCLOCK)
    assert sre.primary is not None
    assert sre.backup is not None
    take(incident, "decline", sre.primary, minute(1))

    incident = take(incident, "take_command", sre.backup, minute(2))

    assert incident.commander == sre.backup
    assert incident.first_responder == incident.owner == sre.primary
    assert incident.participants.get(user=sre.backup).roles == ["commander"]


def test_a_role_is_held_by_one_person(site: None) -> None:
    incident, first, second = opened(), UserFactory.create(), UserFactory.create()
    take(incident, "assign", person("SRE"), minute(1), role="scribe", user=first.username)

    take(incident, "assign", person("SRE"), minute(2), role="scribe", user=str(second.pk))

    assert incident.participants.get(user=second).roles == ["scribe"]
    assert incident.participants.get(user=first).roles == []


def test_command_is_not_assigned(site: None) -> None:
    with pytest.raises(Invalid):
        take(opened(), "assign", person("SRE"), minute(1), role="commander", user="lin.wei")


def test_the_giver_stays_responsible_until_somebody_accepts(site: None) -> None:
    incident, taker = opened(), UserFactory.create()

    incident = take(incident, "hand_over", person("SRE"), minute(1), to=taker.username)
    assert incident.owner == incident.commander == person("SRE")
    assert Action.ACCEPT in incident.allowed_actions_for(taker)
    incident = take(incident, "accept", taker, minute(2))

    assert incident.owner == incident.commander == taker
    assert incident.first_responder == person("SRE")
    assert incident.participants.get(user=taker).state == "joined"
    assert incident.hand_overs.get().clock.state == "met"


def test_a_refused_hand_over_leaves_everything_as_it_was(site: None) -> None:
    incident, taker = opened(), UserFactory.create()
    take(incident, "hand_over", person("SRE"), minute(1), to=taker.username)

    incident = take(incident, "refuse", taker, minute(2), reason="I am on leave")

    assert incident.owner == person("SRE")
    assert incident.hand_overs.get().state == "refused"


def test_only_who_holds_something_hands_over_and_only_who_was_asked_answers(site: None) -> None:
    incident, other = opened(), UserFactory.create()

    with pytest.raises(NotAllowed):
        take(incident, "hand_over", other, minute(1), to="lin.wei")
    with pytest.raises(NotAllowed):
        take(incident, "accept", other, minute(1))


@pytest.mark.parametrize("tier", [3, 1])
def test_a_tier_is_raised_only_to_a_higher_one_that_exists(site: None, tier: int) -> None:
    incident = opened()

    with pytest.raises(Invalid):
        take(incident, "raise_tier", person("SRE"), minute(1), tier=tier, reason="Larger")

    incident.refresh_from_db()
    assert incident.tier == 3


def test_raising_is_immediate_and_calls_the_customer_contact(site: None) -> None:
    incident = take(opened(), "raise_tier", person("HW"), minute(1), tier=2, reason="More jobs")

    assert incident.tier == 2
    assert "TAM" in incident.domains_called
    assert incident.participants.filter(user=person("TAM")).exists()


def test_changing_the_class_needs_a_reason_and_confirming_does_not(site: None) -> None:
    incident = opened()
    with pytest.raises(Invalid):
        take(incident, "reclassify", person("HW"), minute(1), failure_class="NIN")

    incident = take(incident, "reclassify", person("HW"), minute(1), failure_class="DRV")

    assert incident.class_confirmed_by == person("HW")
    assert not Event.objects.filter(kind="incident_reclassified").exists()


def test_another_class_calls_other_domains(site: None) -> None:
    data = {"failure_class": "NIN", "reason": "The link was down first"}

    incident = take(opened(), "reclassify", person("HW"), minute(1), **data)

    assert {"NET", "FRM"} <= set(incident.domains_called)
    assert "DRV" not in incident.domains_called


def test_confirming_the_root_locates_it(site: None) -> None:
    incident = take(opened(), "confirm_root", person("HW"), minute(5))

    assert (incident.state, incident.located_at) == ("located", minute(5))


def test_an_unknown_root_needs_a_reason_and_another_must_exist(site: None) -> None:
    incident = opened()
    with pytest.raises(Invalid):
        take(incident, "confirm_root", person("HW"), minute(5), path="unknown")
    with pytest.raises(Invalid):
        take(incident, "confirm_root", person("HW"), minute(5), path="no/such", reason="x")
    Component.objects.create(
        path="ulanqab/sn06",
        kind="supernode",
        name="sn06",
        region="ulanqab",
        state_since=NINE_OCLOCK,
        seen_at=NINE_OCLOCK,
    )

    incident = take(
        incident, "confirm_root", person("HW"), minute(5), path="ulanqab/sn06", reason="Power"
    )

    assert (incident.root["level"], incident.root["path"]) == ("supernode", "ulanqab/sn06")


def test_one_of_two_jobs_back_is_verifying_and_the_last_is_restored(site: None) -> None:
    incident = opened(affected={"jobs": [JOB, "pt-b"], "nodes": 1, "cards": 1, "supernodes": 0})

    restoration.prove(job_id=JOB, at=minute(30), steps=12, ratio=0.99)
    incident.refresh_from_db()
    assert incident.state == "verifying"
    restoration.prove(job_id="pt-b", at=minute(50), steps=10, ratio=0.95)

    incident.refresh_from_db()
    assert (incident.state, incident.restored_at) == ("restored", minute(50))
    assert Event.objects.filter(kind="incident_restored").count() == 1


@pytest.mark.parametrize(("steps", "ratio"), [(9, 1.0), (10, 0.949)])
def test_fewer_steps_or_slower_ones_prove_nothing(site: None, steps: int, ratio: float) -> None:
    incident = opened()

    assert restoration.prove(job_id=JOB, at=minute(30), steps=steps, ratio=ratio) == []

    incident.refresh_from_db()
    assert incident.state == "open"


def test_steps_from_before_it_broke_prove_nothing_however_late_they_are_told(site: None) -> None:
    incident = opened()

    assert restoration.prove(job_id=JOB, at=minute(-30), steps=10, ratio=1.0) == []

    incident.refresh_from_db()
    assert incident.state == "open"


def test_a_repeat_of_the_old_proof_does_not_undo_a_revocation(site: None) -> None:
    incident = restored()
    take(incident, "revoke_restored", person("SRE"), minute(45), reason="Loss diverged")

    assert restoration.prove(job_id=JOB, at=minute(40), steps=10, ratio=0.97) == []
    incident.refresh_from_db()
    assert incident.restored_at is None
    assert restoration.prove(job_id=JOB, at=minute(60), steps=10, ratio=0.97) != []


def test_a_person_marks_restored_only_with_a_reason(site: None) -> None:
    incident = opened()
    with pytest.raises(Invalid):
        take(incident, "mark_restored", person("PLT"), minute(30), job_id=JOB)

    incident = take(
        incident, "mark_restored", person("PLT"), minute(30), job_id=JOB, reason="Loss is fine"
    )

    assert incident.state == "restored"
    job = incident.jobs.get()
    assert (job.proof, job.proof_by) == ("waiver", person("PLT"))


def test_standing_down_names_every_missing_fact_and_changes_nothing(site: None) -> None:
    incident = restored()

    with pytest.raises(GatesMissing) as refusal:
        take(incident, "stand_down", person("SRE"), minute(45))

    assert set(refusal.value.fields) == {
        "failure_class",
        "root_unknown_reason",
        "occurred_at",
        "impact",
        "what_restored",
        f"jobs.{JOB}.checkpoint_step",
        f"jobs.{JOB}.lost_steps",
    }
    incident.refresh_from_db()
    assert (incident.state, incident.room.state) == ("restored", "recovered")


def test_a_room_stands_down_with_all_facts(site: None) -> None:
    incident = take(ready_to_stand_down(), "stand_down", person("SRE"), minute(45), **FACTS)

    assert (incident.state, incident.closed_at) == ("closed", minute(45))
    assert incident.room.state == "stood_down"
    assert incident.jobs.get().lost_steps == 0
    assert {e.kind for e in Event.objects.all()} >= {"room_stood_down", "incident_closed"}
    assert not incident.steps.filter(state__in=["pending", "held"]).exists()
    assert incident.occurred_at_original == minute(-40 / 60)


def test_a_room_that_is_not_restored_does_not_stand_down(site: None) -> None:
    with pytest.raises(Refused):
        take(opened(), "stand_down", person("SRE"), minute(45), **FACTS)


def test_only_a_lead_passes_over_missing_facts_and_is_named(site: None) -> None:
    incident, lead = restored(), UserFactory.create(lead=True)
    with pytest.raises(NotAllowed):
        take(incident, "stand_down", person("SRE"), minute(45), override_reason="Late")

    incident = take(incident, "stand_down", lead, minute(45), override_reason="Site is moving")

    row = incident.timeline.get(kind="stood_down")
    assert (row.actor, row.text) == (lead, "Site is moving")
    assert "impact" in row.params["overridden"]


def test_reopening_soon_puts_the_restore_clock_back(site: None) -> None:
    incident = take(ready_to_stand_down(), "stand_down", person("SRE"), minute(45), **FACTS)

    incident = take(incident, "reopen", person("SRE"), minute(60), reason="It hangs again")

    assert (incident.state, incident.room.state) == ("restoring", "active")
    assert incident.clocks.get(kind="restore").state == "running"


def test_reopening_late_leaves_the_met_clock(site: None) -> None:
    incident = take(ready_to_stand_down(), "stand_down", person("SRE"), minute(45), **FACTS)

    incident = take(incident, "reopen", person("SRE"), minute(45 + 24 * 60), reason="Wrong facts")

    assert incident.clocks.get(kind="restore").state == "met"


def test_a_false_alarm_stops_every_clock(site: None) -> None:
    incident = take(opened(), "false_alarm", person("SRE"), minute(5), reason="A test")

    assert (incident.state, incident.room.state) == ("false_alarm", "stood_down")
    assert {c.state for c in incident.clocks.all()} == {"cancelled"}
    assert not incident.steps.filter(state="pending").exists()


def test_a_rejected_proposal_keeps_its_reason(site: None) -> None:
    group = AlertGroupFactory.create(facts={})
    incident = incidents.follow_group(group_id=group.pk, at=NINE_OCLOCK)
    assert incident is not None

    incident = take(incident, "reject", person("HW"), minute(5), reason="Spare node")

    assert (incident.state, incident.close_reason) == ("rejected", "Spare node")


def test_notes_keep_what_a_person_wrote(site: None) -> None:
    incident = take(opened(), "note", person("HW"), minute(5), text="看起来像 HBM {{ x }} %s")

    assert incident.timeline.get(kind="note").text == "看起来像 HBM {{ x }} %s"


def test_the_owner_is_never_nobody(site: None) -> None:
    for incident in (opened(), restored(), ready_to_stand_down()):
        assert isinstance(Incident.objects.get(pk=incident.pk).owner, User)
