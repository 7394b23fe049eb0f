from sops.models.content import Content, Step, Text
from sops.models.procedures import Procedure, ProcedureVersion, ProcedureVersionQuerySet
from sops.models.runs import OUTPUT_LIMIT, Run, RunQuerySet, RunStep, RunStepQuerySet

__all__ = [
    "OUTPUT_LIMIT",
    "Content",
    "Procedure",
    "ProcedureVersion",
    "ProcedureVersionQuerySet",
    "Run",
    "RunQuerySet",
    "RunStep",
    "RunStepQuerySet",
    "Step",
    "Text",
]
