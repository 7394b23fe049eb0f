"""Reports of a job controller (`POST /hooks/recovery/<key>`), version of contract.md. Pure."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from recovery.events import Report
from recovery.states import NEED_RECOVERY, ReportEvent, StageSlug

MAX_TEXT = 500


class MalformedReport(ValueError):
    """The item cannot be used; the sentence says what was wrong and what would be right."""


def parse(body: object) -> tuple[list[Report], list[str]]:
    """The usable reports, and a sentence for each item that is not: one bad item loses no other."""
    items = body if isinstance(body, list) else [body]
    reports: list[Report] = []
    wrong: list[str] = []
    for index, item in enumerate(items):
        try:
            reports.append(_report(item))
        except MalformedReport as error:
            wrong.append(f"item {index}: {error}")
    return reports, wrong


def _report(item: object) -> Report:
    if not isinstance(item, Mapping):
        raise MalformedReport("not an object; send one report or a list of reports")
    event = _text(item, "event")
    if event not in ReportEvent.values:
        raise MalformedReport(f"event {event!r} is unknown; one of {', '.join(ReportEvent.values)}")
    started = _instant(item, "started_at")
    at = _instant(item, "at") or started
    if at is None:
        raise MalformedReport("at is missing; an ISO 8601 instant with its zone")
    report = Report(
        event=event,
        job_id=_needed(item, "job_id"),
        recovery_id=_needed(item, "recovery_id")
        if event in NEED_RECOVERY
        else _text(item, "recovery_id"),
        at=at,
        stage=_stage(item, event),
        started_at=started,
        ended_at=_instant(item, "ended_at"),
        step=_whole(item, "step"),
        step_at_fault=_whole(item, "step_at_fault"),
        count=_whole(item, "count") or 0,
        throughput_ratio=_number(item, "throughput_ratio"),
        strategy=_text(item, "strategy"),
        level=_text(item, "level"),
        levers=tuple(str(one)[:80] for one in _list(item, "levers")),
        spare_used=item["spare_used"] if isinstance(item.get("spare_used"), bool) else None,
        fell_back_from=_text(item, "from"),
        fell_back_to=_text(item, "to"),
        reason=_text(item, "reason"),
        is_drill=item.get("is_drill") is True,
        checkpoint=_checkpoint(item) if event == ReportEvent.CHECKPOINT else {},
        detail=item["detail"] if isinstance(item.get("detail"), Mapping) else {},
    )
    return _checked(report)


def _checked(report: Report) -> Report:
    if report.event == ReportEvent.STAGE and (report.started_at is None or report.ended_at is None):
        raise MalformedReport("a stage needs started_at and ended_at")
    if report.started_at and report.ended_at and report.ended_at < report.started_at:
        raise MalformedReport("ended_at is before started_at")
    if report.event == ReportEvent.CHECKPOINT and report.step is None:
        raise MalformedReport("a checkpoint needs its step")
    return report


def _stage(item: Mapping[str, Any], event: str) -> str:
    if event not in (ReportEvent.STAGE, ReportEvent.STAGE_STARTED, ReportEvent.STAGE_ENDED):
        return ""
    stage = _text(item, "stage")
    if stage not in StageSlug.values:
        raise MalformedReport(f"stage {stage!r} is unknown; one of {', '.join(StageSlug.values)}")
    return stage


def _checkpoint(item: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "snapshot_at": _instant(item, "snapshot_at"),
        "persisted_at": _instant(item, "persisted_at"),
        "verified_at": _instant(item, "verified_at"),
        "shards": _whole(item, "shards"),
        "expected": _whole(item, "expected"),
        "regions": [str(one)[:64] for one in _list(item, "regions")],
    }


def _needed(item: Mapping[str, Any], name: str) -> str:
    text = _text(item, name)
    if not text:
        raise MalformedReport(f"{name} is missing")
    return text


def _text(item: Mapping[str, Any], name: str) -> str:
    value = item.get(name)
    return str(value)[:MAX_TEXT].strip() if isinstance(value, (str, int)) else ""


def _list(item: Mapping[str, Any], name: str) -> list[Any]:
    value = item.get(name)
    return value[:50] if isinstance(value, list) else []


def _whole(item: Mapping[str, Any], name: str) -> int | None:
    value = item.get(name)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value:
        return None
    return int(value) if 0 <= value < 2**62 else None


def _number(item: Mapping[str, Any], name: str) -> float:
    value = item.get(name)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value:
        return 0.0
    return float(value)


def _instant(item: Mapping[str, Any], name: str) -> datetime | None:
    value = item.get(name)
    if value in (None, ""):
        return None
    try:
        instant = datetime.fromisoformat(str(value))
    except ValueError as error:
        raise MalformedReport(f"{name} is not an ISO 8601 instant") from error
    if instant.tzinfo is None:
        raise MalformedReport(f"{name} has no zone; write +08:00 or Z")
    return instant
