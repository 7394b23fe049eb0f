"""The days ahead as a grid: a row for each roster, equal neighbours merged."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta, tzinfo
from itertools import groupby

from people.models import Roster
from people.queries.duty import DOMAINS, Turn, rosters_of, turns

DAYS = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """Days in a row with the same turns; two turns where the hand-over is on that day."""

    days: int
    turns: Sequence[Turn]

    @property
    def gap(self) -> bool:
        return any(turn.primary is None for turn in self.turns)


@dataclass(frozen=True, slots=True, kw_only=True)
class Week:
    days: list[date]
    rows: list[tuple[Roster, list[Stretch]]] = field(default_factory=list)


def ahead(*, at: datetime, zone: tzinfo, regions: Iterable[str] = ()) -> Week:
    """The next seven days from the viewer's midnight; `regions` empty: all."""
    chosen, today = set(regions), at.astimezone(zone).date()
    days = [today + timedelta(days=n) for n in range(DAYS)]
    rosters = [
        roster
        for roster in rosters_of(DOMAINS)
        if not chosen or not roster.region or roster.region in chosen
    ]
    order = {str(domain): place for place, domain in enumerate(DOMAINS)}
    rosters.sort(key=lambda roster: (order[roster.team.domain], roster.region))
    return Week(days=days, rows=[(roster, _stretches(roster, days, zone)) for roster in rosters])


def _stretches(roster: Roster, days: Sequence[date], zone: tzinfo) -> list[Stretch]:
    begins = [datetime.combine(day, time(), tzinfo=zone) for day in days]
    ends = [*begins[1:], datetime.combine(days[-1] + timedelta(days=1), time(), tzinfo=zone)]
    every = turns(roster, begins[0], ends[-1])
    cells = [
        tuple(turn for turn in every if turn.starts_at < end and turn.ends_at > begin)
        for begin, end in zip(begins, ends, strict=True)
    ]
    return [Stretch(days=len(list(same)), turns=cell) for cell, same in groupby(cells)]
