from fleet.models.components import Component, ComponentQuerySet, Kind, Revision
from fleet.models.jobs import (
    AssuredWindow,
    Checkpoint,
    Job,
    JobQuerySet,
    Placement,
    ServiceUse,
)
from fleet.models.reference import (
    EventClass,
    FailureClass,
    FaultCode,
    Indicator,
    ReferenceVersion,
)
from fleet.models.versions import NodeVersion, VersionBaseline

__all__ = [
    "AssuredWindow",
    "Checkpoint",
    "Component",
    "ComponentQuerySet",
    "EventClass",
    "FailureClass",
    "FaultCode",
    "Indicator",
    "Job",
    "JobQuerySet",
    "Kind",
    "NodeVersion",
    "Placement",
    "ReferenceVersion",
    "Revision",
    "ServiceUse",
    "VersionBaseline",
]
