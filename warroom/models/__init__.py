from warroom.models.clocks import Clock, ClockQuerySet, ClockStep, ClockStepQuerySet
from warroom.models.incidents import Incident, IncidentQuerySet
from warroom.models.jobs import AffectedJob
from warroom.models.policies import Policy
from warroom.models.rooms import HandOver, Participant, ParticipantQuerySet, Room
from warroom.models.timeline import TimelineEntry

__all__ = [
    "AffectedJob",
    "Clock",
    "ClockQuerySet",
    "ClockStep",
    "ClockStepQuerySet",
    "HandOver",
    "Incident",
    "IncidentQuerySet",
    "Participant",
    "ParticipantQuerySet",
    "Policy",
    "Room",
    "TimelineEntry",
]
