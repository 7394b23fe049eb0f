"""Reads of the SOPs: the panel of a room, the library, what runs took."""

from sops.queries.library import (
    LibraryRow,
    RunRow,
    StepTimes,
    history,
    library,
    missing_procedures,
    step_times,
)
from sops.queries.panel import DecisionView, PanelView, StepView, panel, run_view

__all__ = [
    "DecisionView",
    "LibraryRow",
    "PanelView",
    "RunRow",
    "StepTimes",
    "StepView",
    "history",
    "library",
    "missing_procedures",
    "panel",
    "run_view",
    "step_times",
]
