from datetime import timedelta
from typing import Any

import factory
from factory.django import DjangoModelFactory

from alerts.models import AlertGroup
from tests.factories.instants import NINE_OCLOCK
from tests.factories.people import UserFactory
from warroom.models import AffectedJob, Clock, ClockStep, Incident, Participant, Room
from warroom.queries import policies
from warroom.states import IncidentState, ParticipantState, StepAction

CARD_ROOT: dict[str, Any] = {
    "level": "card",
    "path": "ulanqab/sn05/sn05-n17/3",
    "paths": [],
    "cause": "HBM multi-bit ECC",
    "confidence": 0.9,
    "evidence_for": [],
    "evidence_against": [],
}


class AlertGroupFactory(DjangoModelFactory[AlertGroup]):
    """A group that the rules open an incident for: a chip fault under one job."""

    class Meta:
        model = AlertGroup

    failure_class = "DRV"
    event_class = "E3"
    root = factory.LazyFunction(lambda: dict(CARD_ROOT))
    affected = factory.LazyFunction(
        lambda: {"jobs": ["pt-moe-700b-0318"], "nodes": 1, "cards": 1, "supernodes": 0}
    )
    impact = factory.LazyFunction(
        lambda: {"type": "interrupted", "jobs": ["pt-moe-700b-0318"], "cards_idle": 6144}
    )
    facts = factory.LazyFunction(lambda: {"hard_error": True, "jobs_hit": 1, "nodes_hit": 1})
    alert_count = 3
    received_count = 4
    first_event_at = NINE_OCLOCK - timedelta(seconds=40)
    last_event_at = NINE_OCLOCK - timedelta(seconds=10)
    first_seen_at = NINE_OCLOCK - timedelta(seconds=20)
    last_seen_at = NINE_OCLOCK - timedelta(seconds=5)
    region = "ulanqab"

    class Params:
        supernode_power = factory.Trait(
            failure_class="NCR",
            event_class="",
            root={**CARD_ROOT, "level": "supernode", "path": "ulanqab/sn14"},
            affected={"jobs": ["a", "b"], "nodes": 48, "cards": 384, "supernodes": 1},
            facts={
                "hard_error": True,
                "power_or_cooling": True,
                "nodes_hit": 48,
                "supernodes_whole": 1,
                "jobs_hit": 2,
            },
        )


class IncidentFactory(DjangoModelFactory[Incident]):
    """An open incident with an owner; `RoomFactory` gives it a room."""

    class Meta:
        model = Incident

    title = factory.Sequence(lambda n: f"Chip fault ({n})")
    opened_at = NINE_OCLOCK
    detected_at = NINE_OCLOCK
    occurred_at = NINE_OCLOCK
    failure_class = "DRV"
    root = factory.LazyFunction(lambda: dict(CARD_ROOT))
    affected = factory.LazyFunction(lambda: {"jobs": [], "nodes": 1, "cards": 1, "supernodes": 0})
    policy = factory.LazyFunction(lambda: {**policies.shipped("policies"), "scale": 1.0})
    owner = factory.SubFactory(UserFactory)
    first_responder = factory.SelfAttribute("owner")
    commander = factory.SelfAttribute("owner")
    recovery_owner = factory.SubFactory(UserFactory)

    class Params:
        restored = factory.Trait(
            state=IncidentState.RESTORED,
            restored_at=factory.LazyAttribute(lambda o: o.opened_at + timedelta(minutes=40)),
        )
        closed = factory.Trait(
            restored=True,
            state=IncidentState.CLOSED,
            closed_at=factory.LazyAttribute(lambda o: o.opened_at + timedelta(minutes=80)),
        )


class RoomFactory(DjangoModelFactory[Room]):
    class Meta:
        model = Room

    incident = factory.SubFactory(IncidentFactory)
    opened_at = NINE_OCLOCK


class ParticipantFactory(DjangoModelFactory[Participant]):
    class Meta:
        model = Participant

    incident = factory.SubFactory(IncidentFactory)
    user = factory.SubFactory(UserFactory)
    state = ParticipantState.ASKED
    asked_at = NINE_OCLOCK

    class Params:
        joined = factory.Trait(
            state=ParticipantState.JOINED, joined_at=NINE_OCLOCK + timedelta(minutes=2)
        )


class ClockFactory(DjangoModelFactory[Clock]):
    class Meta:
        model = Clock

    incident = factory.SubFactory(IncidentFactory)
    kind = "restore"
    started_at = NINE_OCLOCK
    due_at = NINE_OCLOCK + timedelta(hours=2)


class ClockStepFactory(DjangoModelFactory[ClockStep]):
    """The breach of a restore clock, unless told otherwise."""

    class Meta:
        model = ClockStep

    clock = factory.SubFactory(ClockFactory)
    incident = factory.SelfAttribute("clock.incident")
    action = StepAction.RESTORE_BREACH
    minute = 120
    due_at = factory.SelfAttribute("clock.due_at")


class AffectedJobFactory(DjangoModelFactory[AffectedJob]):
    class Meta:
        model = AffectedJob

    incident = factory.SubFactory(IncidentFactory)
    job_id = factory.Sequence(lambda n: f"pt-moe-{n}")
    added_at = NINE_OCLOCK
