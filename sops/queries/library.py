"""The shelf of procedures, and what their runs took."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import median
from typing import Any

from django.db.models import Count, Max, Q

from core.queries import site
from fleet.models import FailureClass
from people.models import User
from people.queries import visible
from sops.models import Content, ProcedureVersion, Run, RunQuerySet, RunStep
from sops.states import StepState

TIMED_RUNS = 200
"""The newest runs whose steps are timed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryRow:
    version: ProcedureVersion
    runs: int
    last_run_at: datetime | None
    last_drill_at: datetime | None

    @property
    def text(self) -> Content:
        return self.version.text


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRow:
    """`used` and `ends_by` in minutes from the opening of the incident."""

    run: Run
    used: int
    ends_by: int
    done: int
    steps: int

    @property
    def over(self) -> bool:
        return self.used > self.ends_by


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTimes:
    """Minutes that a step took in the runs so far, against its budget."""

    number: int
    title: str
    budget: int
    times: int
    median: float | None
    longest: float | None

    @property
    def over(self) -> bool:
        return self.median is not None and self.median > self.budget


def library(user: User) -> list[LibraryRow]:
    told: dict[str, dict[str, Any]] = {
        row["version__procedure"]: dict(row)
        for row in _visible(user)
        .order_by()
        .values("version__procedure")
        .annotate(
            runs=Count("pk", filter=Q(is_drill=False)),
            last=Max("started_at", filter=Q(is_drill=False)),
            drill=Max("started_at", filter=Q(is_drill=True)),
        )
    }
    return [
        LibraryRow(
            version=version,
            runs=told.get(version.procedure_id, {}).get("runs", 0),
            last_run_at=told.get(version.procedure_id, {}).get("last"),
            last_drill_at=told.get(version.procedure_id, {}).get("drill"),
        )
        for version in ProcedureVersion.objects.current().select_related("procedure")
    ]


def missing_procedures() -> list[str]:
    """A sentence for each failure class without a published procedure."""
    published = set(ProcedureVersion.objects.published().values_list("procedure", flat=True))
    codes = FailureClass.objects.order_by("order").values_list("code", flat=True)
    return [
        f"No published procedure for failure class {code}: run manage.py load_procedures."
        for code in codes
        if code not in published
    ]


def history(code: str, user: User) -> RunQuerySet:
    """The runs of a procedure that `user` may see, newest first."""
    return (
        _visible(user)
        .filter(version__procedure=code)
        .prefetch_related("version__procedure")
        .annotate(
            done=Count("steps", filter=Q(steps__state__in=[StepState.DONE, StepState.BRANCHED])),
            all_steps=Count("steps"),
        )
        .order_by("-started_at", "-pk")
    )


def rows_of(runs: Sequence[Run], at: datetime) -> list[RunRow]:
    return [
        RunRow(
            run=run,
            used=int(_minutes(run.opened_at, run.closed_at or at)),
            ends_by=run.version.text.ends_by,
            done=getattr(run, "done", 0),
            steps=getattr(run, "all_steps", 0),
        )
        for run in runs
    ]


def step_times(version: ProcedureVersion, user: User) -> list[StepTimes]:
    """Over done steps of real runs, all versions: drills never count."""
    runs = _visible(user).filter(version__procedure=version.procedure_id, is_drill=False)
    newest = list(runs.order_by("-started_at").values_list("pk", flat=True)[:TIMED_RUNS])
    taken: dict[int, list[float]] = {}
    ended = RunStep.objects.filter(run__in=newest, state=StepState.DONE, started_at__isnull=False)
    for number, start, end in ended.values_list("number", "started_at", "ended_at"):
        if start and end:
            taken.setdefault(number, []).append(_minutes(start, end))
    return [
        StepTimes(
            number=step.number,
            title=str(step.title),
            budget=step.budget,
            times=len(taken.get(step.number, [])),
            median=median(taken[step.number]) if step.number in taken else None,
            longest=max(taken[step.number]) if step.number in taken else None,
        )
        for step in version.text.steps
    ]


def _visible(user: User) -> RunQuerySet:
    return visible(Run.objects.all(), user)


def _minutes(since: datetime, at: datetime) -> float:
    return max(0.0, (at - since).total_seconds() * site().clock_scale / 60)
