"""From a set of reports to what they say together: the same for any order and repetition. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from recovery.events import Report
from recovery.states import ORDER, ReportEvent, StageSlug

E = ReportEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """`ended_at` None while the stage runs."""

    stage: str
    started_at: datetime
    ended_at: datetime | None
    detail: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded:
    fault_at: datetime
    first_step_at: datetime | None
    caught_up_at: datetime | None
    failed_at: datetime | None
    success: bool
    failure_reason: str
    strategy: str
    fell_back_from: str
    level: str
    levers: list[str]
    spare_used: bool | None
    step_at_fault: int | None
    checkpoint_step: int | None
    lost_steps: int | None
    is_drill: bool
    stages: list[Interval]


def fold(reports: Sequence[Report]) -> Folded:
    """
    What all reports of one recovery say. Later reports (by `at`, then by content) win.

    `fault_at` is what `fault` says, else the start of the earliest stage, else the earliest
    report. It succeeded when a first step came and nothing failed after it.
    """
    ordered = sorted(reports, key=_rank)
    stages = intervals(ordered)
    first_step_at = _first_step(ordered, stages)
    failed = _last(ordered, E.FAILED)
    failed_at = failed.at if failed else None
    success = first_step_at is not None and (failed_at is None or failed_at <= first_step_at)
    fault_at = _fault_at(ordered, stages)
    step_at_fault = _latest(ordered, "step_at_fault")
    checkpoint_step = _checkpoint_step(ordered)
    return Folded(
        fault_at=fault_at,
        first_step_at=first_step_at,
        caught_up_at=_earliest(ordered, E.CAUGHT_UP),
        failed_at=failed_at,
        success=success and first_step_at is not None and first_step_at >= fault_at,
        failure_reason=failed.reason if failed else "",
        strategy=_latest(ordered, "strategy") or _latest(ordered, "fell_back_to") or "",
        fell_back_from=_latest(ordered, "fell_back_from") or "",
        level=_latest(ordered, "level") or "",
        levers=sorted({lever for report in ordered for lever in report.levers}),
        spare_used=_latest(ordered, "spare_used"),
        step_at_fault=step_at_fault,
        checkpoint_step=checkpoint_step,
        lost_steps=_lost(step_at_fault, checkpoint_step),
        is_drill=any(report.is_drill for report in ordered),
        stages=stages,
    )


def _rank(report: Report) -> tuple[datetime, str]:
    return report.at, repr(report)


def intervals(ordered: Sequence[Report]) -> list[Interval]:
    """Whole stages as told, and pairs of started and ended; an end without a start is dropped."""
    spans: dict[tuple[str, datetime], datetime | None] = {}
    details: dict[tuple[str, datetime], dict[str, Any]] = {}
    for report in ordered:
        start = report.started_at if report.event == E.STAGE else report.at
        if report.event in (E.STAGE, E.STAGE_STARTED) and start:
            key = (report.stage, start)
            spans[key] = report.ended_at or spans.get(key)
            details[key] = {**details.get(key, {}), **report.detail}
    for report in ordered:
        if report.event == E.STAGE_ENDED:
            _close(spans, details, report)
    found = [
        Interval(stage=stage, started_at=start, ended_at=end, detail=details[stage, start])
        for (stage, start), end in spans.items()
    ]
    return sorted(found, key=lambda one: (one.started_at, ORDER[one.stage]))


def _close(
    spans: dict[tuple[str, datetime], datetime | None],
    details: dict[tuple[str, datetime], dict[str, Any]],
    report: Report,
) -> None:
    """The end belongs to the latest start of its stage before it; the earliest end counts."""
    starts = [start for stage, start in spans if stage == report.stage and start <= report.at]
    if not starts:
        return
    key = (report.stage, max(starts))
    end = spans[key]
    spans[key] = report.at if end is None else end
    details[key] = {**details[key], **report.detail}


def _fault_at(ordered: Sequence[Report], stages: Sequence[Interval]) -> datetime:
    told = _earliest(ordered, E.FAULT)
    if told:
        return told
    on_path = [one.started_at for one in stages if one.stage != StageSlug.CHECKPOINT_BACKUP]
    return min(on_path) if on_path else ordered[0].at


def _first_step(ordered: Sequence[Report], stages: Sequence[Interval]) -> datetime | None:
    told = _last(ordered, E.FIRST_STEP)
    if told:
        return told.at
    ends = [one.ended_at for one in stages if one.stage == StageSlug.FIRST_STEP and one.ended_at]
    return max(ends) if ends else None


def _checkpoint_step(ordered: Sequence[Report]) -> int | None:
    """The step that was loaded; without a word on it, the one before the first new step."""
    loaded = [
        report.step
        for report in ordered
        if report.stage == StageSlug.CHECKPOINT_LOAD and report.step is not None
    ]
    if loaded:
        return loaded[-1]
    first = _last(ordered, E.FIRST_STEP)
    return max(0, first.step - 1) if first and first.step is not None else None


def _lost(step_at_fault: int | None, checkpoint_step: int | None) -> int | None:
    """step_at_fault − step of the checkpoint used (domain.md 5.2), never below 0."""
    if step_at_fault is None or checkpoint_step is None:
        return None
    return max(0, step_at_fault - checkpoint_step)


def _earliest(ordered: Iterable[Report], event: str) -> datetime | None:
    return next((report.at for report in ordered if report.event == event), None)


def _last(ordered: Sequence[Report], event: str) -> Report | None:
    return next((report for report in reversed(ordered) if report.event == event), None)


def _latest(ordered: Sequence[Report], name: str) -> Any:
    return next(
        (
            getattr(report, name)
            for report in reversed(ordered)
            if getattr(report, name) not in (None, "")
        ),
        None,
    )


def critical_path(
    *, fault_at: datetime, first_step_at: datetime, stages: Sequence[Interval]
) -> list[dict[str, Any]]:
    """
    Walk back from the first step (domain.md 5.9). Pieces and waiting add up to the total.

    At an instant the piece belongs to the stage that covers it and began earliest (ties: the
    lower number), back to its start; where none covers it, it is waiting.
    """
    spans = [
        (one.started_at, one.ended_at or first_step_at, one.stage)
        for one in stages
        if one.stage != StageSlug.CHECKPOINT_BACKUP
    ]
    pieces: list[dict[str, Any]] = []
    instant = first_step_at
    while instant > fault_at:
        covering = [span for span in spans if span[0] < instant <= span[1]]
        if covering:
            start, _end, stage = min(covering, key=lambda span: (span[0], ORDER[span[2]]))
        else:
            ends = [end for _start, end, _stage in spans if end < instant]
            start, stage = max(ends, default=fault_at), "waiting"
        start = max(start, fault_at)
        seconds = (instant - start).total_seconds()
        pieces.append(
            {"stage": stage, "started_at": start, "ended_at": instant, "seconds": seconds}
        )
        instant = start
    return pieces[::-1]
