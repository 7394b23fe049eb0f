"""A recovery is what the set of its reports says, in any order, any number of times."""

from datetime import timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from recovery.events import Report
from recovery.queries.folding import Interval, critical_path, fold
from recovery.states import ON_PATH, StageSlug
from tests.factories import NINE_OCLOCK


def said(event: str, minute: float, **fields: Any) -> Report:
    at = NINE_OCLOCK + timedelta(minutes=minute)
    return Report(event=event, job_id="j", recovery_id="r", at=at, **fields)


def stage(slug: str, start: float, end: float, **fields: Any) -> Report:
    return said(
        "stage",
        end,
        stage=slug,
        started_at=NINE_OCLOCK + timedelta(minutes=start),
        ended_at=NINE_OCLOCK + timedelta(minutes=end),
        **fields,
    )


WHOLE = [
    said("fault", 0, step_at_fault=184_240),
    stage("fault_detection", 0, 1),
    stage("reschedule", 1, 4, strategy="process"),
    said("fell_back", 4, fell_back_from="process", fell_back_to="pod"),
    said("stage_started", 4, stage="environment_init"),
    said("stage_ended", 7, stage="environment_init"),
    stage("checkpoint_load", 7, 12, step=184_200, levers=("cache_warm",)),
    stage("operator_compile", 9, 15),
    said("first_step", 18, step=184_201),
    said("caught_up", 25, step=184_240),
]


def test_a_recovery_is_measured_from_the_fault_to_the_first_step() -> None:
    folded = fold(WHOLE)

    assert folded.success
    assert folded.first_step_at is not None
    assert (folded.first_step_at - folded.fault_at).total_seconds() == 18 * 60
    assert folded.lost_steps == 40
    assert (folded.fell_back_from, folded.levers) == ("process", ["cache_warm"])


@given(st.permutations(WHOLE), st.lists(st.sampled_from(WHOLE), max_size=8))
def test_order_and_repetition_change_nothing(order: list[Report], again: list[Report]) -> None:
    assert fold([*order, *again]) == fold(WHOLE)


def test_an_end_belongs_to_the_latest_start_before_it() -> None:
    reports = [
        said("stage_started", 1, stage="link_build"),
        said("stage_started", 5, stage="link_build"),
        said("stage_ended", 3, stage="link_build"),
        said("stage_ended", 9, stage="link_build"),
    ]

    spans = [
        (one.started_at, (one.ended_at - one.started_at).total_seconds())
        for one in fold(reports).stages
        if one.ended_at
    ]

    assert [seconds for _start, seconds in spans] == [120, 240]


def test_a_failure_after_the_first_step_is_no_success() -> None:
    folded = fold([*WHOLE, said("failed", 19, reason="node lost again")])

    assert not folded.success
    assert folded.failure_reason == "node lost again"


def test_a_failed_first_try_and_a_later_first_step_are_a_success() -> None:
    assert fold([*WHOLE, said("failed", 5, reason="process level failed")]).success


def test_a_recovery_is_a_drill_when_any_report_says_so() -> None:
    assert fold([*WHOLE, said("steps", 30, is_drill=True)]).is_drill


minutes = st.integers(min_value=0, max_value=200)
intervals = st.lists(
    st.tuples(st.sampled_from([*ON_PATH, StageSlug.CHECKPOINT_BACKUP]), minutes, minutes),
    max_size=12,
)


@given(intervals, st.integers(min_value=1, max_value=200))
def test_pieces_and_waiting_add_up_to_the_total(
    rows: list[tuple[StageSlug, int, int]], total: int
) -> None:
    stages = [
        Interval(
            stage=str(slug),
            started_at=NINE_OCLOCK + timedelta(minutes=min(a, b)),
            ended_at=NINE_OCLOCK + timedelta(minutes=max(a, b)),
        )
        for slug, a, b in rows
    ]
    end = NINE_OCLOCK + timedelta(minutes=total)

    pieces = critical_path(fault_at=NINE_OCLOCK, first_step_at=end, stages=stages)

    assert sum(piece["seconds"] for piece in pieces) == total * 60
    assert all(piece["stage"] != "checkpoint_backup" for piece in pieces)


def test_of_two_stages_side_by_side_the_earlier_one_is_on_the_critical_path() -> None:
    folded = fold(WHOLE)
    assert folded.first_step_at is not None

    pieces = critical_path(
        fault_at=folded.fault_at, first_step_at=folded.first_step_at, stages=folded.stages
    )

    assert [(piece["stage"], piece["seconds"] / 60) for piece in pieces] == [
        ("fault_detection", 1),
        ("reschedule", 3),
        ("environment_init", 3),
        ("checkpoint_load", 2),
        ("operator_compile", 6),
        ("waiting", 3),
    ]
