"""What a job controller's reports are read as."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from recovery.adapters import controller

STAGE: dict[str, Any] = {
    "job_id": "pt-moe-700b-0318",
    "recovery_id": "r-20261129-07",
    "event": "stage",
    "stage": "checkpoint_load",
    "at": "2026-11-29T02:35:02+08:00",
    "started_at": "2026-11-29T02:31:04+08:00",
    "ended_at": "2026-11-29T02:35:02+08:00",
    "strategy": "pod",
    "levers": ["per_node_load", "cache_warm"],
    "step": 184200,
    "detail": {"bytes": 2140000000000, "slowest": ["sn12-n07"]},
}
RECEIVED = datetime(2026, 11, 30, tzinfo=UTC)


def test_the_example_of_the_documentation_is_read_whole() -> None:
    (report,), wrong = controller.parse(STAGE, received_at=RECEIVED)

    assert wrong == []
    assert report.stage == "checkpoint_load"
    assert report.ended_at == datetime(2026, 11, 28, 18, 35, 2, tzinfo=UTC)
    assert (report.strategy, report.levers, report.step) == (
        "pod",
        ("per_node_load", "cache_warm"),
        184200,
    )


def test_one_bad_item_loses_no_other() -> None:
    reports, wrong = controller.parse([STAGE, {"event": "dance"}, 7, STAGE], received_at=RECEIVED)

    assert len(reports) == 2
    assert len(wrong) == 2
    assert "item 1: event 'dance' is unknown" in wrong[0]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"stage": "make_tea"}, "stage 'make_tea' is unknown"),
        ({"at": "yesterday"}, "at is not an ISO 8601 instant"),
        ({"started_at": "2026-11-29T02:31:04"}, "started_at has no zone"),
        ({"started_at": "2026-11-29T03:31:04+08:00"}, "ended_at is before started_at"),
        ({"job_id": None}, "job_id is missing"),
        ({"recovery_id": ""}, "recovery_id is missing"),
        ({"ended_at": None}, "a stage needs started_at and ended_at"),
        ({"at": "2026-11-30T00:02:01Z"}, "at is in the future"),
        ({"ended_at": "2027-11-30T00:00:00Z"}, "ended_at is in the future"),
        ({"at": "0001-01-01T00:00:00+14:00"}, "at lies in the year 1"),
        ({"at": "9999-12-31T23:59:59-14:00"}, "at lies in the year 9999"),
        ({"job_id": "j" * 201}, "job_id has more than 200 characters"),
        ({"recovery_id": "r" * 501}, "recovery_id has more than 500 characters"),
    ],
)
def test_a_bad_item_says_what_was_wrong(change: dict[str, Any], sentence: str) -> None:
    reports, wrong = controller.parse({**STAGE, **change}, received_at=RECEIVED)

    assert reports == []
    assert sentence in wrong[0]


@pytest.mark.parametrize("value", [True, "12", -1, float("nan"), 1e400, [], {}])
def test_a_step_that_is_no_whole_number_counts_as_missing(value: object) -> None:
    (report,), _wrong = controller.parse({**STAGE, "step": value}, received_at=RECEIVED)

    assert report.step is None


def test_the_start_stands_in_for_a_missing_instant() -> None:
    (report,), _wrong = controller.parse({**STAGE, "at": None}, received_at=RECEIVED)

    assert report.at == report.started_at


def test_steps_need_no_recovery_because_a_degraded_job_proves_itself_too() -> None:
    body = {
        "job_id": "j",
        "event": "steps",
        "at": "2026-11-29T02:35:02Z",
        "count": 10,
        "throughput_ratio": 0.97,
    }

    (report,), wrong = controller.parse(body, received_at=RECEIVED)

    assert (wrong, report.count, report.recovery_id) == ([], 10, "")


def test_what_postgresql_refuses_or_has_no_room_for_is_cut_out() -> None:
    deep: Any = "x"
    for _ in range(900):
        deep = {"a": [deep]}
    odd = {
        "job_id": "j\x00\ud800",
        "strategy": "s" * 400,
        "level": "l" * 400,
        "levers": ["\x00a", "b" * 400],
        "reason": "\x00\udfff",
        "detail": {"k\x00": "\ud800", "deep": deep},
    }

    (report,), wrong = controller.parse({**STAGE, **odd}, received_at=RECEIVED)

    assert wrong == []
    kept = json.dumps([report.detail, report.levers, report.reason], ensure_ascii=False)
    assert "\x00" not in kept
    assert kept.encode()
    assert (report.job_id, report.reason) == ("j?", "?")
    assert (len(report.strategy), len(report.level), len(report.levers[1])) == (80, 40, 80)


def test_a_count_of_shards_beyond_any_checkpoint_counts_as_missing() -> None:
    body = {"job_id": "j", "event": "checkpoint", "at": "2026-11-29T02:35:02Z", "step": 7}

    (report,), _wrong = controller.parse({**body, "shards": 2**40}, received_at=RECEIVED)

    assert report.checkpoint["shards"] is None
