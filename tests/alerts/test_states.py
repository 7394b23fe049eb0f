"""An alert's state is a function of the set of what was told: any order, any repetition."""

from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from alerts.states import Marks, Span, is_flapping
from tests.factories import NINE_OCLOCK

Told = tuple[int, int | None]


def at(minute: int) -> object:
    return NINE_OCLOCK + timedelta(minutes=minute)


def tell(told: list[Told], marks: Marks | None = None) -> Marks:
    marks = marks or Marks()
    for start, length in told:
        begun = NINE_OCLOCK + timedelta(minutes=start)
        if length is None:
            marks = marks.with_start(begun)
        else:
            marks = marks.with_end(begun, begun + timedelta(minutes=length))
    return marks


signals = st.tuples(st.integers(0, 30), st.none() | st.integers(0, 20))


@given(st.lists(signals, max_size=12).flatmap(lambda t: st.tuples(st.just(t), st.permutations(t))))
def test_any_order_gives_the_same_episodes(pair: tuple[list[Told], list[Told]]) -> None:
    told, shuffled = pair

    assert tell(shuffled).spans == tell(told).spans


@given(st.lists(signals, max_size=12), st.data())
def test_repetition_changes_nothing(told: list[Told], data: st.DataObject) -> None:
    again = data.draw(st.lists(st.sampled_from(told), max_size=12)) if told else []

    assert tell([*told, *again]).spans == tell(told).spans


@given(st.lists(signals, min_size=1, max_size=12))
def test_episodes_are_in_order_and_only_the_last_goes_on(told: list[Told]) -> None:
    spans = tell(told).spans

    assert [span.start for span in spans] == sorted({span.start for span in spans})
    assert all(span.end is not None and span.end >= span.start for span in spans[:-1])


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5000), st.none() | st.integers(0, 20)), max_size=200))
def test_forgetting_old_episodes_keeps_the_state(told: list[Told]) -> None:
    marks = Marks()
    for one in told:
        whole = tell([one], marks)
        marks = whole.shortened()

        assert marks.spans[-1:] == whole.spans[-1:]
        assert marks.dropped + len(marks.spans) == whole.dropped + len(whole.spans)


def test_a_later_start_after_a_resolve_is_a_new_episode() -> None:
    spans = tell([(0, None), (0, 5), (10, None)]).spans

    assert spans == [Span(at(0), at(5)), Span(at(10), None)]  # type: ignore[arg-type]


def test_a_later_start_while_firing_is_the_same_episode() -> None:
    assert tell([(0, None), (10, None)]).spans == [Span(at(0), None)]  # type: ignore[arg-type]


def test_the_same_or_an_earlier_start_never_reopens() -> None:
    spans = tell([(10, None), (10, 5), (10, None), (10, None)]).spans

    assert spans[-1] == Span(at(10), at(15))  # type: ignore[arg-type]


def test_a_second_resolve_changes_no_stamp() -> None:
    assert tell([(0, None), (0, 5), (0, 9)]).spans == [Span(at(0), at(5))]  # type: ignore[arg-type]


def test_a_resolve_of_something_unknown_opens_nothing() -> None:
    assert tell([(0, 5)]).spans == []


def test_four_changes_within_an_hour_are_flapping_and_three_are_not() -> None:
    three = tell([(0, None), (0, 5), (10, None)]).spans
    four = tell([(0, None), (0, 5), (10, None), (10, 5)]).spans
    slow = tell([(0, None), (0, 5), (10, None), (10, 55)]).spans

    assert (is_flapping(three), is_flapping(four), is_flapping(slow)) == (False, True, False)


def test_a_later_start_after_people_closed_the_group_is_a_new_episode() -> None:
    first, second = NINE_OCLOCK, NINE_OCLOCK + timedelta(minutes=5)
    closed = Marks().with_start(first).with_cut()

    assert closed.with_start(first).spans == [Span(first, None)]
    assert closed.with_start(second).spans == [Span(first, second), Span(second, None)]


def test_without_a_cut_a_later_start_goes_on_with_the_same_episode() -> None:
    marks = tell([(0, None), (5, None)])

    assert marks.spans == [Span(NINE_OCLOCK, None)]


@given(st.lists(signals, min_size=1, max_size=8), st.lists(signals, max_size=8), st.data())
def test_what_is_told_after_a_cut_may_come_in_any_order(
    before: list[Told], after: list[Told], data: st.DataObject
) -> None:
    cut = tell(before).with_cut()

    assert tell(data.draw(st.permutations(after)), cut).spans == tell(after, cut).spans
