"""What the signals of a batch make of one alert. Pure: no ORM, no clock."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from alerts.adapters.base import Signal
from alerts.states import AlertState, Marks, Span, changes, is_flapping

CLAMP_BEFORE = timedelta(hours=24)
CLAMP_AFTER = timedelta(minutes=2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A signal, by whom it was told and when it was received."""

    signal: Signal
    source_id: int
    received_at: datetime
    receipt: int

    @property
    def key(self) -> tuple[int, str]:
        return self.source_id, self.signal.fingerprint


@dataclass(slots=True, kw_only=True)
class History:
    """An alert as far as senders determine it."""

    source_id: int
    fingerprint: str
    id: int | None = None
    name: str = ""
    severity: str = ""
    state: str = ""
    flapping: bool = False
    last_change_at: datetime
    starts_at: datetime
    ends_at: datetime | None = None
    event_at: datetime
    first_seen_at: datetime
    last_seen_at: datetime
    received_count: int = 0
    marks: Marks = field(default_factory=Marks)
    labels: dict[str, str] = field(default_factory=dict)
    annotations: dict[str, str] = field(default_factory=dict)
    generator_url: str = ""
    notes: list[str] = field(default_factory=list)
    reworded: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanChange:
    """An episode to be written. `was` is the start it was stored under; None: a new one."""

    history: History
    number: int
    was: datetime | None
    span: Span
    event_at: datetime
    seen_at: datetime
    received: int


def clamped(moment: datetime, *, received_at: datetime) -> datetime:
    return min(max(moment, received_at - CLAMP_BEFORE), received_at + CLAMP_AFTER)


def begin(told: Told) -> History:
    at = told.received_at
    return History(
        source_id=told.source_id,
        fingerprint=told.signal.fingerprint,
        last_change_at=at,
        starts_at=at,
        event_at=at,
        first_seen_at=at,
        last_seen_at=at,
    )


def tell(history: History, told: Sequence[Told]) -> list[SpanChange]:
    """
    Add what was told to the history, in place; returns the episodes that changed by it.

    An older event never changes state, a second resolve changes no stamp, a resolve of
    something unknown is recorded and opens nothing: see `alerts.states.Marks`.
    """
    before, old_marks, old_count = history.marks.spans, history.marks, history.received_count
    starts = [_mark(history, one) for one in told]
    spans = history.marks.spans
    _settle(history, spans, told, starts)
    counts = _counts(spans, told, starts)
    if not before and spans:
        counts[0] = counts.get(0, 0) + old_count
    changed = _span_changes(history, before, spans, counts, told, first=old_marks.dropped + 1)
    history.marks = history.marks.shortened()
    return changed


def _mark(history: History, told: Told) -> datetime:
    """Note the signal; returns the start that it is about."""
    signal = told.signal
    history.received_count += 1
    history.last_seen_at = max(history.last_seen_at, told.received_at)
    start = signal.starts_at or _start_for(history, told)
    if signal.firing:
        history.marks = history.marks.with_start(start)
    else:
        history.marks = history.marks.with_end(start, signal.ends_at or told.received_at)
    return start


def _start_for(history: History, told: Told) -> datetime:
    """The sender gave no start: the one that is going on, or else now."""
    spans = history.marks.spans
    if spans and (spans[-1].end is None or not told.signal.firing):
        return spans[-1].start
    return told.received_at if told.signal.firing else told.signal.ends_at or told.received_at


def _settle(
    history: History, spans: list[Span], told: Sequence[Told], starts: list[datetime]
) -> None:
    at = told[-1].received_at
    was_stale = history.state == AlertState.STALE
    if spans:
        history.starts_at, history.ends_at = spans[-1].start, spans[-1].end
    elif history.marks.last_end:
        history.starts_at, history.ends_at = history.marks.last_end
    firing = bool(spans) and spans[-1].end is None
    history.state = AlertState.FIRING if firing else AlertState.RESOLVED
    if firing and was_stale and not any(one.signal.firing for one in told):
        history.state = AlertState.STALE
    history.flapping = history.flapping or is_flapping(spans)
    history.last_change_at = clamped(
        (changes(spans) or [history.ends_at or at])[-1], received_at=at
    )
    history.event_at = clamped(history.starts_at, received_at=at)
    _reword(history, told, starts)


def _reword(history: History, told: Sequence[Told], starts: list[datetime]) -> None:
    """
    Words of the newest firing win; an older event does not bring back older words, and "it is
    up again" does not become what was wrong.
    """
    pairs = [
        (start, one.signal.firing, number)
        for number, (one, start) in enumerate(zip(told, starts, strict=True))
        if (one.signal.firing and start >= history.starts_at) or not history.name
    ]
    if not pairs:
        return
    newest = told[max(pairs)[2]].signal
    history.reworded = not history.name or newest.labels != history.labels
    history.name, history.severity = newest.name, newest.severity
    history.labels, history.annotations = dict(newest.labels), dict(newest.annotations)
    history.generator_url, history.notes = newest.generator_url, list(newest.notes)


def _counts(spans: list[Span], told: Sequence[Told], starts: list[datetime]) -> dict[int, int]:
    """How many signals each span got. An end with an unknown start counts by its own instant."""
    counts: dict[int, int] = {}
    begun = [span.start for span in spans]
    for one, start in zip(told, starts, strict=True):
        moment = start
        if not one.signal.firing and one.signal.ends_at and start not in begun:
            moment = max(start, one.signal.ends_at)
        index = sum(1 for begin_at in begun if begin_at <= moment) - 1
        if index >= 0:
            counts[index] = counts.get(index, 0) + 1
    return counts


def _span_changes(
    history: History,
    before: list[Span],
    spans: list[Span],
    counts: dict[int, int],
    told: Sequence[Told],
    *,
    first: int,
) -> list[SpanChange]:
    origin = _origins(before, spans)
    changed = []
    for index, span in enumerate(spans):
        was = origin[index]
        old = before[was] if was is not None else None
        if old == span and was == index and index not in counts:
            continue
        changed.append(
            SpanChange(
                history=history,
                number=first + index,
                was=old.start if old else None,
                span=span,
                event_at=clamped(span.start, received_at=told[0].received_at),
                seen_at=told[-1].received_at,
                received=counts.get(index, 0),
            )
        )
    return changed


def _origins(before: list[Span], spans: list[Span]) -> list[int | None]:
    """Which stored span each new one was: by its start, else the one that it took in."""
    by_start = {span.start: number for number, span in enumerate(before)}
    origins = [by_start.get(span.start) for span in spans]
    left = [n for n in range(len(before)) if n not in origins]
    for index, origin in enumerate(origins):
        if origin is None and left and before[left[0]].start > spans[index].start:
            origins[index] = left.pop(0)
    return origins


def packed(marks: Marks) -> dict[str, Any]:
    """Marks as JSON: microseconds since the epoch."""
    return {
        "s": sorted(_us(start) for start in marks.starts),
        "e": sorted([_us(start), _us(end)] for start, end in marks.ends),
        "n": marks.dropped,
        "f": _us(marks.floor) if marks.floor else None,
        "c": sorted(_us(cut) for cut in marks.cuts),
    }


def unpacked(stored: dict[str, Any]) -> Marks:
    return Marks(
        starts=frozenset(_at(us) for us in stored.get("s", ())),
        ends=frozenset((_at(start), _at(end)) for start, end in stored.get("e", ())),
        dropped=stored.get("n", 0),
        floor=_at(stored["f"]) if stored.get("f") is not None else None,
        cuts=frozenset(_at(us) for us in stored.get("c", ())),
    )


EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


def _us(moment: datetime) -> int:
    return (moment - EPOCH) // MICROSECOND


def _at(us: int) -> datetime:
    return EPOCH + us * MICROSECOND
