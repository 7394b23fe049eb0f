"""Reports of a job controller (`POST /hooks/recovery/<key>`), version of contract.md. Pure."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from recovery.events import Report
from recovery.states import NEED_RECOVERY, ReportEvent, StageSlug

MAX_TEXT = 500
MAX_JOB = 200
MAX_WORD = 80
MAX_LEVEL = 40
MAX_COUNT = 2**31 - 1
MAX_DEPTH = 8
CUT = "…"
# A controller's clock may run ahead of ours by this much.
SKEW = timedelta(minutes=2)


class MalformedReport(ValueError):
    """The item cannot be used; the sentence says what was wrong and what would be right."""


def parse(body: object, *, received_at: datetime) -> tuple[list[Report], list[str]]:
    """
    The usable reports, and a sentence for each item that is not: one bad item loses no other.

    What lies after `received_at` has not happened: it would run clocks that are not due.
    """
    items = body if isinstance(body, list) else [body]
    reports: list[Report] = []
    wrong: list[str] = []
    for index, item in enumerate(items):
        try:
            reports.append(_past(_report(item), received_at + SKEW))
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
        job_id=_id(item, "job_id", longest=MAX_JOB, needed=True),
        recovery_id=_id(item, "recovery_id", longest=MAX_TEXT, needed=event in NEED_RECOVERY),
        at=at,
        stage=_stage(item, event),
        started_at=started,
        ended_at=_instant(item, "ended_at"),
        step=_whole(item, "step"),
        step_at_fault=_whole(item, "step_at_fault"),
        count=_whole(item, "count") or 0,
        throughput_ratio=_number(item, "throughput_ratio"),
        strategy=_text(item, "strategy", MAX_WORD),
        level=_text(item, "level", MAX_LEVEL),
        levers=tuple(_clean(str(one))[:MAX_WORD] for one in _list(item, "levers")),
        spare_used=item["spare_used"] if isinstance(item.get("spare_used"), bool) else None,
        fell_back_from=_text(item, "from", MAX_WORD),
        fell_back_to=_text(item, "to", MAX_WORD),
        reason=_text(item, "reason"),
        is_drill=item.get("is_drill") is True,
        checkpoint=_checkpoint(item) if event == ReportEvent.CHECKPOINT else {},
        detail=_kept(item["detail"]) if isinstance(item.get("detail"), Mapping) else {},
    )
    return _checked(report)


def _past(report: Report, latest: datetime) -> Report:
    for name in ("at", "started_at", "ended_at"):
        instant = getattr(report, name)
        if instant and instant > latest:
            raise MalformedReport(f"{name} is in the future by the clock here; send it again then")
    return report


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
        "shards": _whole(item, "shards", MAX_COUNT),
        "expected": _whole(item, "expected", MAX_COUNT),
        "regions": [_clean(str(one))[:64] for one in _list(item, "regions")],
    }


def _id(item: Mapping[str, Any], name: str, *, longest: int, needed: bool) -> str:
    """Never cut: two names that begin alike are not one."""
    text = _text(item, name, longest + 1)
    if needed and not text:
        raise MalformedReport(f"{name} is missing")
    if len(text) > longest:
        raise MalformedReport(f"{name} has more than {longest} characters")
    return text


def _text(item: Mapping[str, Any], name: str, longest: int = MAX_TEXT) -> str:
    value = item.get(name)
    return _clean(str(value))[:longest].strip() if isinstance(value, (str, int)) else ""


def _clean(text: str) -> str:
    """Without NUL, which PostgreSQL refuses, and without halves of surrogate pairs."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode("utf-8")


def _kept(value: Any, depth: int = 0) -> Any:
    """What a stage adds, as PostgreSQL can keep it; cut where it nests beyond any use."""
    if isinstance(value, str):
        return _clean(value)
    if not isinstance(value, (Mapping, list)):
        return value
    if depth == MAX_DEPTH:
        return CUT
    if isinstance(value, list):
        return [_kept(one, depth + 1) for one in value]
    return {_clean(str(name)): _kept(one, depth + 1) for name, one in value.items()}


def _list(item: Mapping[str, Any], name: str) -> list[Any]:
    value = item.get(name)
    return value[:50] if isinstance(value, list) else []


def _whole(item: Mapping[str, Any], name: str, most: int = 2**62) -> int | None:
    value = item.get(name)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value:
        return None
    return int(value) if 0 <= value <= most else None


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
    if not 2000 <= instant.year < 2100:
        raise MalformedReport(f"{name} lies in the year {instant.year}")
    return instant
