from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from people.queries.rotation import Rotation, Substitution
from people.states import Slot

ZONES = ("Asia/Shanghai", "America/Chicago", "Europe/London", "Asia/Kathmandu")
SPRING, AUTUMN = date(2026, 3, 8), date(2026, 11, 1)  # Chicago's changes, both Sundays
zones = st.sampled_from(ZONES)
instants = st.datetimes(
    min_value=datetime(2024, 1, 1),  # noqa: DTZ001 - hypothesis adds the zone
    max_value=datetime(2029, 1, 1),  # noqa: DTZ001
    timezones=st.just(UTC),
)
anchors = st.dates(min_value=date(2024, 1, 1), max_value=date(2027, 1, 1))
times = st.times().map(lambda t: t.replace(second=0, microsecond=0))
pairs = [(1, 2), (3, 4), (5, 6)]


def rotation(zone: str, anchor: date, handover: time, *subs: Substitution) -> Rotation:
    return Rotation(ZoneInfo(zone), anchor, handover, pairs, subs)


@given(zone=zones, anchor=anchors, handover=times, at=instants)
def test_at_every_instant_exactly_one_week_has_the_duty(
    zone: str, anchor: date, handover: time, at: datetime
) -> None:
    plan = rotation(zone, anchor, handover)
    week = plan.week_of(at)

    holding = [
        w for w in range(week - 3, week + 4) if plan.boundary(w) <= at < plan.boundary(w + 1)
    ]

    assert holding == [week]
    assert plan.span(Slot.PRIMARY, at).user_id == pairs[week % 3][0]


@given(zone=zones, anchor=anchors, handover=times, at=instants)
def test_spans_follow_each_other_without_gap_or_overlap(
    zone: str, anchor: date, handover: time, at: datetime
) -> None:
    plan = rotation(zone, anchor, handover)

    spans = plan.spans(Slot.PRIMARY, at, at + timedelta(days=40))

    assert all(a.ends_at == b.starts_at for a, b in pairwise(spans))
    assert [s.user_id for s in spans[:3]] != [spans[0].user_id] * 3
    assert spans[0].starts_at <= at < spans[0].ends_at
    assert all(
        abs((s.ends_at - s.starts_at) - timedelta(days=7)) <= timedelta(hours=1) for s in spans
    )


@given(zone=zones, anchor=anchors, week=st.integers(-100, 200), hour=st.integers(4, 23))
def test_the_hand_over_stays_at_its_local_wall_time(
    zone: str, anchor: date, week: int, hour: int
) -> None:
    plan = rotation(zone, anchor, time(hour))

    local = plan.boundary(week).astimezone(ZoneInfo(zone))

    assert (local.hour, local.minute, local.weekday()) == (hour, 0, anchor.weekday())


@pytest.mark.parametrize(
    ("day", "handover", "utc"),
    [
        (SPRING, time(2, 30), datetime(2026, 3, 8, 8, 30, tzinfo=UTC)),  # does not exist
        (AUTUMN, time(1, 30), datetime(2026, 11, 1, 6, 30, tzinfo=UTC)),  # exists twice
    ],
)
def test_a_hand_over_in_the_hour_of_the_change_is_one_instant(
    day: date, handover: time, utc: datetime
) -> None:
    assert rotation("America/Chicago", day, handover).boundary(0) == utc


def test_every_minute_around_a_change_has_one_primary() -> None:
    plan = rotation("America/Chicago", SPRING, time(2, 30))
    start = datetime(2026, 3, 8, 5, tzinfo=UTC)

    seen = [plan.span(Slot.PRIMARY, start + timedelta(minutes=n)).user_id for n in range(8 * 60)]

    assert [a for a, b in zip(seen, [None, *seen], strict=False) if a != b] == [5, 1]


@given(at=instants, offset=st.integers(0, 600), length=st.integers(1, 400))
def test_an_override_answers_inside_its_time_and_nowhere_else(
    at: datetime, offset: int, length: int
) -> None:
    begins = datetime(2026, 3, 2, tzinfo=UTC) + timedelta(hours=offset)
    ends = begins + timedelta(hours=length)
    plain = rotation("Europe/London", date(2026, 3, 2), time(9))
    plan = rotation(
        "Europe/London", date(2026, 3, 2), time(9), Substitution(Slot.PRIMARY, 99, begins, ends)
    )

    span = plan.span(Slot.PRIMARY, at)

    inside = begins <= at < ends
    assert span.user_id == (99 if inside else plain.span(Slot.PRIMARY, at).user_id)
    assert span.starts_at <= at < span.ends_at
    assert plan.span(Slot.BACKUP, at) == plain.span(Slot.BACKUP, at)


def test_an_empty_rotation_is_nobody() -> None:
    plan = Rotation(ZoneInfo("UTC"), date(2026, 3, 2), time(9), [])

    assert plan.span(Slot.PRIMARY, datetime(2026, 3, 2, 9, tzinfo=UTC)).user_id is None
