"""What receipts, alerts and alert groups can be. Pure data: no ORM, no clock, no I/O."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _


class SourceKind(TextChoices):
    ALERTMANAGER = "alertmanager", _("Alertmanager")
    JSON = "json", _("Free JSON")
    RECOVERY = "recovery", _("Recovery reports")


class ReceiptState(TextChoices):
    PENDING = "pending", _("Waiting")
    PARSED = "parsed", _("Parsed")
    PARTLY_PARSED = "partly_parsed", _("Partly parsed")
    FAILED = "failed", _("Failed")


class Severity(TextChoices):
    CRITICAL = "critical", _("Critical")
    ERROR = "error", _("Error")
    WARNING = "warning", _("Warning")
    INFO = "info", _("Info")


class AlertState(TextChoices):
    FIRING = "firing", _("Firing")
    RESOLVED = "resolved", _("Resolved")
    STALE = "stale", _("Stale")


class AlertRole(TextChoices):
    CAUSE = "cause", _("Cause")
    VICTIM = "victim", _("Victim")
    UNRELATED = "unrelated", _("Unrelated")
    UNKNOWN = "unknown", _("Not known")


class GroupState(TextChoices):
    OPEN = "open", _("Open")
    QUIET = "quiet", _("Quiet")
    CLOSED = "closed", _("Closed")
    MERGED = "merged", _("Merged")


LEGAL_GROUP_MOVES: dict[GroupState, set[GroupState]] = {
    GroupState.OPEN: {GroupState.QUIET, GroupState.CLOSED, GroupState.MERGED},
    GroupState.QUIET: {GroupState.OPEN, GroupState.CLOSED, GroupState.MERGED},
    GroupState.CLOSED: set(),
    GroupState.MERGED: set(),
}

LEGAL_ALERT_MOVES: dict[AlertState, set[AlertState]] = {
    AlertState.FIRING: {AlertState.RESOLVED, AlertState.STALE},
    AlertState.STALE: {AlertState.FIRING, AlertState.RESOLVED},
    AlertState.RESOLVED: {AlertState.FIRING},
}


# An alert's history: the set of starts and ends that were told. Everything about its state is
# a function of that set, so that order and repetition of what senders say cannot matter.

MOST_MARKS = 64
KEPT_SPANS, KEPT_STARTS, KEPT_LOOSE = 8, 24, 8
FLAPPING_CHANGES = 4  # PROPOSAL: 4 changes in 60 min (pitfall 9)
FLAPPING_WINDOW = timedelta(minutes=60)


@dataclass(frozen=True, slots=True)
class Span:
    """One firing: from `start` to `end`, None while it goes on."""

    start: datetime
    end: datetime | None


@dataclass(frozen=True, slots=True)
class Marks:
    """
    What was told about one alert: starts, and ends with the start they belong to.

    `dropped` counts episodes that were forgotten to keep this short; what began at
    or before `floor` was forgotten, too, and can no longer change anything. `cuts` are the
    newest starts known when people closed the group: a later start after one is a new episode,
    although nobody told of the end of the one before.
    """

    starts: frozenset[datetime] = frozenset()
    ends: frozenset[tuple[datetime, datetime]] = frozenset()
    dropped: int = 0
    floor: datetime | None = None
    cuts: frozenset[datetime] = frozenset()

    def with_cut(self) -> "Marks":
        return replace(self, cuts=self.cuts | {max(self.starts)}) if self.starts else self

    def with_start(self, start: datetime) -> "Marks":
        if start in self.starts or (self.floor and start <= self.floor):
            return self
        return replace(self, starts=self.starts | {start})

    def with_end(self, start: datetime, end: datetime) -> "Marks":
        if (start, end) in self.ends or (self.floor and end <= self.floor):
            return self
        return replace(self, ends=self.ends | {(start, end)})

    @property
    def spans(self) -> list[Span]:
        """
        The episodes, oldest first.

        An end belongs to the start it names, and else to its own instant. A start
        while firing goes on with the same episode, unless a cut lies between; a second end
        changes nothing.
        """
        told = [(start, 0, start) for start in self.starts]
        told += [(s, 1, e) if s in self.starts else (e, -1, e) for s, e in self.ends]
        spans: list[Span] = []
        for _position, order, moment in sorted(told):
            firing = bool(spans) and spans[-1].end is None
            if order == 0 and firing and self._cut_between(spans[-1].start, moment):
                spans[-1], firing = Span(spans[-1].start, moment), False
            if order == 0 and not firing:
                spans.append(Span(moment, None))
            elif order != 0 and firing:
                spans[-1] = Span(spans[-1].start, max(moment, spans[-1].start))
        return spans

    def _cut_between(self, start: datetime, later: datetime) -> bool:
        return any(start <= cut < later for cut in self.cuts)

    @property
    def last_end(self) -> tuple[datetime, datetime] | None:
        """Of the newest start that was said to have ended, its earliest end."""
        if not self.ends:
            return None
        newest = max(start for start, _ in self.ends)
        return newest, min(end for start, end in self.ends if start == newest)

    def shortened(self) -> "Marks":
        """The same state with the oldest episodes forgotten, if the sets grew too long."""
        if len(self.starts) + len(self.ends) <= MOST_MARKS:
            return self
        spans = self.spans
        loose = sorted((p for p in self.ends if p[0] not in self.starts), key=lambda p: p[1])
        if not spans:
            return replace(self, ends=frozenset(loose[-KEPT_LOOSE:]))
        kept, last = spans[-KEPT_SPANS:], spans[-1]
        ends = {(span.start, span.end) for span in kept[:-1] if span.end}
        ends |= {pair for pair in loose[-KEPT_LOOSE:] if pair[1] > last.start and last.end}
        if last.end:
            ends.add((max(self.starts), last.end))
        during = sorted(start for start in self.starts if start > last.start)[-KEPT_STARTS:]
        return Marks(
            starts=frozenset([*(span.start for span in kept), *during]),
            ends=frozenset(ends),
            dropped=self.dropped + len(spans) - len(kept),
            floor=last.start - timedelta(microseconds=1),
            cuts=frozenset(cut for cut in self.cuts if cut >= last.start),
        )


def changes(spans: Sequence[Span]) -> list[datetime]:
    return sorted(at for span in spans for at in (span.start, span.end) if at is not None)


def is_flapping(spans: Sequence[Span]) -> bool:
    """Whether the last changes were 4 or more within 60 minutes."""
    moments = changes(spans)[-FLAPPING_CHANGES:]
    return len(moments) == FLAPPING_CHANGES and moments[-1] - moments[0] <= FLAPPING_WINDOW
