"""Every legal move of a run and its steps, and what opens next. Pure: no ORM, no clock."""

from sops.states.moves import (
    ENDED,
    Action,
    CloseReason,
    IllegalMove,
    Move,
    RunMove,
    RunState,
    StepState,
    VersionState,
    actions_from,
    after,
    run_after,
)
from sops.states.plan import Branching, Slot, branching, finished, ready
from sops.states.targets import Target

__all__ = [
    "ENDED",
    "Action",
    "Branching",
    "CloseReason",
    "IllegalMove",
    "Move",
    "RunMove",
    "RunState",
    "Slot",
    "StepState",
    "Target",
    "VersionState",
    "actions_from",
    "after",
    "branching",
    "finished",
    "ready",
    "run_after",
]
