"""Prometheus Alertmanager webhook, version 4 (notify/webhook in prometheus/alertmanager)."""

from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import Any

from alerts.adapters import items
from alerts.adapters.base import MalformedPayload, Reading, Signal, SourceSettings
from alerts.adapters.bodies import MAX_ANNOTATION, MAX_LABEL, as_text, texts
from alerts.adapters.instants import SKEW, instant
from alerts.adapters.severities import severity


def parse(payload: object, *, settings: SourceSettings, at: datetime) -> Reading:
    """
    State is per alert, never the group's; the group's key is for counting what was cut only.

    :raises MalformedPayload: if there is no list of alerts, or no item of it can be read.
    """
    body = items.object_of(payload)
    return items.reading(
        body.get("alerts"),
        partial(_signal, settings=settings, at=at),
        truncated=body.get("truncatedAlerts"),
        truncated_key=body.get("groupKey"),
    )


def _signal(alert: Mapping[str, Any], *, settings: SourceSettings, at: datetime) -> Signal:
    status = alert.get("status")
    if status not in ("firing", "resolved"):
        raise MalformedPayload(f"status {as_text(status)[:40]!r} is neither firing nor resolved")
    labels, cut_label = texts(alert.get("labels"), longest=MAX_LABEL)
    annotations, cut_text = texts(alert.get("annotations"), longest=MAX_ANNOTATION)
    own = as_text(alert.get("fingerprint"))
    if not own and not labels:
        raise MalformedPayload("neither fingerprint nor labels")
    level, notes = severity(labels.get("severity", ""), default=settings.default_severity)
    start, start_notes = items.usable_start(instant(alert.get("startsAt")), at=at)
    ends_at, end_notes = _end(status, alert.get("endsAt"), at=at)
    made = items.made_fingerprint(labels, settings=settings)
    return Signal(
        fingerprint=items.fitting(own) if own else made,
        name=_name(labels, annotations)[: items.MAX_NAME],
        firing=ends_at is None,
        starts_at=start,
        ends_at=ends_at,
        severity=level,
        labels=labels,
        annotations=annotations,
        generator_url=as_text(alert.get("generatorURL"))[:MAX_LABEL],
        notes=(
            *notes,
            *start_notes,
            *end_notes,
            *(() if own else ("fingerprint_made",)),
            *(("cut",) if cut_label or cut_text else ()),
        ),
    )


def _name(labels: Mapping[str, str], annotations: Mapping[str, str]) -> str:
    return labels.get("alertname") or annotations.get("summary") or "?"


def _end(status: str, value: object, *, at: datetime) -> tuple[datetime | None, tuple[str, ...]]:
    """
    When it ended, or None while it fires.

    An `endsAt` of zero, or in the future, means firing whatever else is said; a
    missing one beside the word `resolved` means now.
    """
    if status == "firing":
        return None, ()
    end = instant(value)
    if end is not None:
        return (end, ()) if end <= at + SKEW else (None, ("end_in_future",))
    if isinstance(value, str) and value.startswith("0001-"):
        return None, ("end_zero",)
    return at, ("end_missing",)
