"""Our own free JSON: an object, or an array of them, as the docs page of the hook says."""

from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import Any

from alerts.adapters import items
from alerts.adapters.base import MalformedPayload, Reading, Signal, SourceSettings
from alerts.adapters.bodies import MAX_ANNOTATION, MAX_LABEL, as_text, texts
from alerts.adapters.instants import SKEW, instant
from alerts.adapters.severities import severity

STATUSES = ("firing", "resolved", "ack")


def parse(payload: object, *, settings: SourceSettings, at: datetime) -> Reading:
    listed = payload if isinstance(payload, list) else [payload]
    return items.reading(listed, partial(_signal, settings=settings, at=at))


def _signal(item: Mapping[str, Any], *, settings: SourceSettings, at: datetime) -> Signal:
    status = item.get("status")
    if status not in STATUSES:
        raise MalformedPayload(f"status {as_text(status)[:40]!r} is none of {', '.join(STATUSES)}")
    title = as_text(item.get("title"))
    labels, was_cut = texts(item.get("labels"), longest=MAX_LABEL)
    if failure_class := as_text(item.get("failure_class")):
        labels.setdefault("failure_class", failure_class[:MAX_LABEL])
    key = as_text(item.get("key"))
    if not (key or title or labels):
        raise MalformedPayload("no key, title or labels")
    level, notes = severity(as_text(item.get("severity")), default=settings.default_severity)
    start, start_notes = items.usable_start(instant(item.get("started_at")), at=at)
    ended = instant(item.get("ended_at")) or at if status == "resolved" else None
    made = items.made_fingerprint(labels, settings=settings, name=title)
    return Signal(
        fingerprint=items.fitting(key) if key else made,
        name=(labels.get("alertname") or title or key)[: items.MAX_NAME],
        firing=ended is None or ended > at + SKEW,
        starts_at=start,
        ends_at=ended if ended and ended <= at + SKEW else None,
        severity=level,
        labels=labels,
        annotations=_annotations(item, title),
        generator_url=_first_link(item),
        notes=(*notes, *start_notes, *(("cut",) if was_cut else ())),
    )


def _annotations(item: Mapping[str, Any], title: str) -> dict[str, str]:
    given = {"summary": title, "description": item.get("description")}
    return texts({k: v for k, v in given.items() if v}, longest=MAX_ANNOTATION)[0]


def _first_link(item: Mapping[str, Any]) -> str:
    links = item.get("links")
    first = links[0] if isinstance(links, list) and links else None
    return as_text(first.get("href"))[:MAX_LABEL] if isinstance(first, Mapping) else ""
