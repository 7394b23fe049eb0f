"""
Weekly rotations in local wall time. Pure: no ORM, no clock.

Weeks are counted in the roster's zone, so that a hand-over stays at 09:00 local time when
daylight saving begins or ends: that week is an hour shorter or longer, without gap or overlap.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from people.states import Slot

WEEK = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open stretch of time in which the same person (or nobody) has a slot."""

    starts_at: datetime
    ends_at: datetime
    user_id: int | None


@dataclass(frozen=True, slots=True)
class Substitution:
    """An override, as the rotation needs it."""

    slot: Slot
    user_id: int
    starts_at: datetime
    ends_at: datetime


@dataclass(frozen=True, slots=True)
class Rotation:
    zone: ZoneInfo
    anchor_date: date
    handover_at: time
    places: Sequence[tuple[int | None, int | None]]
    """(primary, backup) of each week, in turn."""
    substitutions: Sequence[Substitution] = ()

    def boundary(self, week: int) -> datetime:
        """
        When `week` begins, in UTC; week 0 is that of the anchor.

        A wall time that does not exist (spring) is read with the offset before the jump;
        one that exists twice (autumn) is its first.
        """
        day = self.anchor_date + week * WEEK
        return datetime.combine(day, self.handover_at, tzinfo=self.zone).astimezone(UTC)

    def week_of(self, at: datetime) -> int:
        week = (at.astimezone(self.zone).date() - self.anchor_date).days // 7
        while self.boundary(week) > at:
            week -= 1
        while self.boundary(week + 1) <= at:
            week += 1
        return week

    def span(self, slot: Slot, at: datetime) -> Span:
        """Who has `slot` at `at`, and from when until when."""
        week = self.week_of(at)
        begins, ends = self.boundary(week), self.boundary(week + 1)
        own = [s for s in self.substitutions if s.slot == slot]
        for sub in own:
            if sub.starts_at <= at < sub.ends_at:
                return Span(sub.starts_at, sub.ends_at, sub.user_id)
        begins = max([begins, *(s.ends_at for s in own if s.ends_at <= at)])
        ends = min([ends, *(s.starts_at for s in own if s.starts_at > at)])
        return Span(begins, ends, self._regular(slot, week))

    def spans(self, slot: Slot, since: datetime, until: datetime) -> list[Span]:
        """The spans that touch [since, until), in order, each beginning where the last ended."""
        found, at = [], since
        while at < until:
            span = self.span(slot, at)
            found.append(span)
            at = span.ends_at
        return found

    def _regular(self, slot: Slot, week: int) -> int | None:
        if not self.places:
            return None
        primary, backup = self.places[week % len(self.places)]
        return primary if slot == Slot.PRIMARY else backup
