from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest

from core.errors import Invalid
from core.models import Event
from notifications.models import Delivery
from people.models import User
from people.queries import on_duty
from tests.factories import NINE_OCLOCK, UserFactory, fleet
from tests.factories.warroom import AlertGroupFactory
from tests.warroom.conftest import person
from warroom.models import ClockStep, Incident, Participant
from warroom.operations import actions, incidents

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


def opened(**group: Any) -> Incident:
    incident = incidents.follow_group(group_id=AlertGroupFactory.create(**group).pk, at=NINE_OCLOCK)
    assert incident is not None
    return incident


def test_a_hard_error_opens_a_room_with_two_clocks_and_calls_the_matrix(site: None) -> None:
    incident = opened()

    assert (incident.state, incident.tier) == ("open", 3)
    assert incident.domains_called == ["HW", "DRV", "PLT"]
    assert incident.room.state == "convening"
    due = {c.kind: c.due_at - NINE_OCLOCK for c in incident.clocks.all()}
    assert due == {"assemble": 10 * MINUTE, "restore": 120 * MINUTE}
    called = {p.user: p.domains for p in incident.participants.all()}
    assert called == {person(d): [d] for d in ("SRE", "HW", "DRV", "PLT")}
    assert [j.job_id for j in incident.jobs.all()] == ["pt-moe-700b-0318"]


def test_commander_recovery_owner_and_first_responder_come_from_the_rosters(site: None) -> None:
    incident = opened()

    assert incident.commander == incident.first_responder == incident.owner == person("SRE")
    assert incident.recovery_owner == person("PLT")


def test_everybody_called_has_one_delivery_a_channel_and_the_same_event_adds_none(
    site: None,
) -> None:
    incident = opened()
    assert incident.group_id
    first = Delivery.objects.filter(template="incident_call").count()

    incidents.follow_group(group_id=incident.group_id, at=NINE_OCLOCK + MINUTE)

    assert Incident.objects.count() == 1
    assert Delivery.objects.filter(template="incident_call").count() == first
    inbox = Delivery.objects.filter(template="incident_call", channel="inbox")
    assert inbox.count() == incident.participants.count()


@pytest.mark.parametrize(
    ("facts", "failure_class", "outcome"),
    [
        ({"hard_error": True}, "DRV", "open"),
        ({"job_symptom": True}, "PSD", "open"),
        ({}, "DRV", "proposed"),
        ({"hard_error": True}, None, None),
        ({"monitoring": True}, None, "open"),
        ({"source_lost": True, "hard_error": True}, "DRV", None),
    ],
)
def test_the_rules_record_propose_or_open(
    site: None, facts: Mapping[str, bool], failure_class: str | None, outcome: str | None
) -> None:
    group = AlertGroupFactory.create(facts=facts, failure_class=failure_class)

    incident = incidents.follow_group(group_id=group.pk, at=NINE_OCLOCK)

    assert (incident.state if incident else None) == outcome


def test_a_proposal_calls_nobody_until_it_is_promoted(site: None, sre: User) -> None:
    incident = opened(facts={})
    assert not Participant.objects.exists()
    assert not ClockStep.objects.exists()

    incident = actions.take(
        number=incident.number, action="promote", data={}, by=sre, at=NINE_OCLOCK + MINUTE
    )

    assert incident.state == "open"
    assert incident.opened_at == NINE_OCLOCK + MINUTE
    assert incident.participants.count() == 4


def test_a_proposal_opens_by_itself_when_a_job_suffers(site: None) -> None:
    group = AlertGroupFactory.create(facts={})
    incidents.follow_group(group_id=group.pk, at=NINE_OCLOCK)
    group.facts = {"hard_error": True}
    group.save()

    incident = incidents.follow_group(group_id=group.pk, at=NINE_OCLOCK + MINUTE)

    assert incident is not None
    assert (incident.state, incident.room.state) == ("open", "convening")


def test_a_broken_monitoring_calls_sre_and_plt_at_tier_3(site: None) -> None:
    root = {"level": "monitoring", "path": "", "paths": []}

    incident = opened(failure_class=None, facts={"monitoring": True}, root=root)

    assert (incident.tier, incident.failure_class) == (3, None)
    assert incident.domains_called == ["PLT"]
    assert {d for p in incident.participants.all() for d in p.domains} == {"SRE", "PLT"}


def test_a_drill_never_calls_the_customer_side(site: None) -> None:
    real = opened(supernode_power=True)
    drill = opened(supernode_power=True, is_drill=True, failure_class="TLF")

    assert "TAM" in real.domains_called
    assert not {"TAM", "JOB"} & set(drill.domains_called)
    assert drill.is_drill


def test_nobody_on_duty_goes_to_the_next_and_says_so(db: None) -> None:
    admin = UserFactory.create(admin=True)

    incident = opened()

    assert incident.commander == admin
    assert incident.participants.get().domains == ["SRE", "HW", "PLT"]
    kinds = list(incident.timeline.values_list("kind", flat=True))
    assert kinds.count("nobody_on_duty") == 3
    assert Delivery.objects.filter(template="last_resort_call", channel="inbox").count() == 1


def test_a_larger_scope_raises_the_tier_at_once_and_calls_who_is_added(site: None) -> None:
    group = AlertGroupFactory.create()
    incidents.follow_group(group_id=group.pk, at=NINE_OCLOCK)
    group.facts = {**group.facts, "jobs_hit": 2}
    group.save()

    incident = incidents.follow_group(group_id=group.pk, at=NINE_OCLOCK + 2 * MINUTE)

    assert incident is not None
    assert incident.tier == 2
    assert incident.domains_called == ["HW", "DRV", "PLT", "TAM"]
    assert incident.clocks.get(kind="restore").started_at == NINE_OCLOCK
    own = incident.steps.filter(domains=["TAM"]).order_by("due_at")
    assert [s.due_at - NINE_OCLOCK for s in own] == [5 * MINUTE, 8 * MINUTE, 10 * MINUTE]
    assert Event.objects.filter(kind="incident_escalated").count() == 1


def test_late_evidence_changes_class_and_call_while_nobody_confirmed_them(site: None) -> None:
    group = AlertGroupFactory.create()
    incident = opened_of(group)
    group.failure_class, group.root = "NIN", {**group.root, "level": "link"}
    group.save()

    incidents.follow_group(group_id=group.pk, at=NINE_OCLOCK + MINUTE)

    incident.refresh_from_db()
    assert incident.failure_class == "NIN"
    assert incident.domains_called == ["HW", "NET", "PLT", "FRM"]
    dropped = incident.participants.get(user=person("DRV"))
    assert (dropped.state, dropped.required) == ("replaced", False)
    kinds = set(incident.timeline.values_list("kind", flat=True))
    assert {"class_changed", "root_changed", "domains_added", "domains_dropped"} <= kinds
    assert Event.objects.filter(kind="incident_reclassified").count() == 1


def test_what_a_person_confirmed_wins_over_later_automation(site: None, sre: User) -> None:
    group = AlertGroupFactory.create()
    incident = opened_of(group)
    data = {"failure_class": "DRV"}
    actions.take(number=incident.number, action="reclassify", data=data, by=sre, at=NINE_OCLOCK)
    group.failure_class, group.alert_count = "NIN", 9
    group.save()

    incidents.follow_group(group_id=group.pk, at=NINE_OCLOCK + MINUTE)

    incident.refresh_from_db()
    assert (incident.failure_class, incident.alert_count) == ("DRV", 9)


def test_repeats_move_counts_and_write_nothing_into_the_timeline(site: None) -> None:
    group = AlertGroupFactory.create()
    incident = opened_of(group)
    rows = incident.timeline.count()
    group.received_count, group.alert_count = 400, 30
    group.save()

    incidents.follow_group(group_id=group.pk, at=NINE_OCLOCK + MINUTE)

    incident.refresh_from_db()
    assert (incident.received_count, incident.alert_count) == (400, 30)
    assert incident.timeline.count() == rows


def opened_of(group: Any) -> Incident:
    incident = incidents.follow_group(group_id=group.pk, at=NINE_OCLOCK)
    assert incident is not None
    return incident


def test_merged_groups_keep_the_earliest_incident_and_its_clocks(site: None) -> None:
    early, late = AlertGroupFactory.create(), AlertGroupFactory.create()
    first = opened_of(early)
    second = incidents.follow_group(group_id=late.pk, at=NINE_OCLOCK + MINUTE)
    assert second is not None
    early.merged_into, early.state = late, "merged"
    early.save()

    incidents.follow_group(group_id=early.pk, at=NINE_OCLOCK + 2 * MINUTE)

    first.refresh_from_db()
    second.refresh_from_db()
    assert (second.state, second.merged_into) == ("merged", first)
    assert (first.state, first.group_id) == ("open", late.pk)
    late.refresh_from_db()
    assert late.incident_number == first.number
    assert first.clocks.get(kind="assemble").started_at == NINE_OCLOCK
    assert not second.steps.filter(state="pending").exists()


def test_who_declares_an_incident_is_its_first_responder(site: None) -> None:
    engineer = UserFactory.create()

    incident = incidents.declare(data={"title": "Loss is NaN"}, by=engineer, at=NINE_OCLOCK)

    assert incident.first_responder == incident.owner == engineer
    assert incident.headline == "Loss is NaN"
    assert incident.commander == person("SRE", region="")
    assert incident.domains_called == ["PLT"]


def test_declaring_names_every_field_that_cannot_be_used(site: None) -> None:
    data = {"title": " ", "component": "nowhere/x", "failure_class": "XXX", "tier": 1}

    with pytest.raises(Invalid) as refusal:
        incidents.declare(data=data, by=UserFactory.create(), at=NINE_OCLOCK)

    assert set(refusal.value.fields) == {"title", "component", "failure_class", "tier"}
    assert not Incident.objects.exists()


def test_a_component_of_a_hidden_region_cannot_be_declared_and_is_not_betrayed(site: None) -> None:
    node = fleet.node()
    outsider = UserFactory.create(regions=["elsewhere"])
    data = {"title": "Loss is NaN", "component": node.path}

    with pytest.raises(Invalid) as refusal:
        incidents.declare(data=data, by=outsider, at=NINE_OCLOCK)

    assert set(refusal.value.fields) == {"component"}


@pytest.mark.parametrize(
    ("group", "tier", "domains"),
    [
        ({}, 3, {"HW", "DRV", "PLT"}),
        (
            {
                "failure_class": "NIN",
                "root": {"level": "link", "paths": ["a", "b"]},
                "facts": {"hard_error": True, "network": True, "nodes_hit": 1, "jobs_hit": 1},
            },
            3,
            {"NET", "HW", "FRM", "PLT"},
        ),
        ({"supernode_power": True}, 2, {"FAC", "HW", "NET", "PLT", "FRM", "TAM"}),
        (
            {
                "failure_class": "NIN",
                "root": {"level": "plane", "path": "ulanqab/sn12/plane:ub/3"},
                "facts": {"hard_error": True, "network": True, "plane": True, "nodes_hit": 48},
            },
            2,
            {"NET", "HW", "PLT", "FRM", "TAM"},
        ),
        (
            {
                "failure_class": "TLF",
                "root": {"level": "nodes", "paths": ["x", "y"]},
                "facts": {"job_symptom": True, "version_cause": True, "nodes_hit": 2},
            },
            3,
            {"PLT", "DRV", "FRM", "JOB"},
        ),
        (
            {
                "failure_class": "PSD",
                "subtype": "PSD-SLOWNODE",
                "facts": {"job_symptom": True, "nodes_hit": 1, "jobs_hit": 1},
            },
            3,
            {"HW", "PLT", "FRM"},
        ),
        (
            {
                "failure_class": "NHG",
                "root": {"level": "node", "path": "ulanqab/sn18/sn18-n40"},
                "facts": {"hard_error": True, "nodes_hit": 1, "jobs_hit": 1},
            },
            3,
            {"DRV", "HW", "PLT", "FRM"},
        ),
        (
            {
                "failure_class": "PSD",
                "subtype": "PSD-CKPT",
                "root": {"level": "service", "path": "ulanqab/service:pfs-ulq-01"},
                "facts": {"hard_error": True, "services_shared": True, "jobs_hit": 3},
            },
            2,
            {"STO", "PLT", "FRM", "TAM"},
        ),
    ],
    ids="abcdefgh",
)
def test_the_eight_scenarios_get_their_tier_and_their_domains(
    site: None, group: dict[str, Any], tier: int, domains: set[str]
) -> None:
    incident = opened(**group)

    assert incident.tier == tier
    assert set(incident.domains_called) == domains
    for domain in domains:
        duty = on_duty(domain, NINE_OCLOCK, "ulanqab")
        assert incident.participants.filter(user=duty.primary, state="asked").exists()
