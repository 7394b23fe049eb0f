"""What a draft says, from facts alone."""

from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import translation

from postmortems.operations.drafts import due
from postmortems.queries import wording
from postmortems.queries.drafting import Facts, sections
from tests.factories import NINE_OCLOCK

SHANGHAI = ZoneInfo("Asia/Shanghai")
AT = NINE_OCLOCK
FACTS = Facts(
    number=12,
    tier=2,
    failure_class="NIN",
    occurred_at=AT - timedelta(minutes=1),
    detected_at=AT - timedelta(seconds=50),
    opened_at=AT,
    acknowledged_at=AT + timedelta(minutes=1),
    assembled_at=AT + timedelta(minutes=6, seconds=12),
    located_at=AT + timedelta(minutes=20),
    restored_at=AT + timedelta(minutes=59),
    root={"level": "plane", "path": "ulanqab/sn12/plane:ub/3", "cause": ""},
    root_reason="",
    what_restored="Plane 3 was bypassed",
    alert_count=2489,
    received_count=3081,
    truncated_count=116,
    cards_idle=6144,
    relapses=0,
    met=["assemble", "restore"],
    jobs=[
        {
            "job_id": "pt-moe-700b-0318",
            "proof": "steps",
            "reason": "",
            "lost_steps": 40,
            "checkpoint_step": 184200,
            "restored_at": None,
        }
    ],
)


def _said(facts: Facts, key: str) -> list[str]:
    section = next(one for one in sections(facts) if one["key"] == key)
    return [wording.sentence(block) for block in section["blocks"]]


def test_the_cost_is_idle_cards_times_the_time_from_fault_to_restoration() -> None:
    said = _said(FACTS, "impact")

    assert "6144 cards stood idle for 1 h 0 min: 6144.0 card-hours." in said
    assert "pt-moe-700b-0318 went back 40 steps to its checkpoint." in said


def test_a_kept_clock_went_well_and_a_missed_one_went_wrong_with_the_late_domains_named() -> None:
    late = replace(FACTS, met=["restore"], breached=["assemble"], late_domains=["NET", "FRM"])

    assert _said(late, "went_well") == ["The job was restored in time."]
    assert _said(late, "went_wrong") == [
        "The assemble clock was missed.",
        "Late or missing: NET, FRM.",
    ]
    assert "Why were the missing people not reached in time?" in _said(late, "questions")


def test_alerts_that_the_sender_cut_off_are_told_and_not_hidden() -> None:
    assert "The sender cut off 116 alerts that were never seen." in _said(FACTS, "detection")


def test_what_is_not_known_is_asked_and_never_made_up() -> None:
    bare = replace(
        FACTS, occurred_at=None, acknowledged_at=None, restored_at=None, root={}, jobs=[]
    )

    assert _said(bare, "response")[0] == "Nobody acknowledged it."
    assert _said(bare, "root_cause") == ["The root is not known."]
    assert "When did the fault really begin?" in _said(bare, "questions")
    assert not any("card-hours" in text for text in _said(bare, "impact"))


def test_every_sentence_of_a_draft_is_there_in_chinese() -> None:
    rich = replace(
        FACTS,
        breached=["assemble", "restore"],
        late_domains=["NET"],
        nobody_for=["FAC"],
        declined=2,
        silent=1,
        relapses=1,
        root_reason="灰尘",
        jobs=[*FACTS.jobs, {**FACTS.jobs[0], "proof": "waiver", "reason": "停训", "lost_steps": 0}],
    )
    with translation.override("zh-hans"):
        said = [wording.sentence(b) for one in sections(rich) for b in one["blocks"]]

    assert [text for text in said if text.isascii()] == ["Plane 3 was bypassed"]


@pytest.mark.parametrize(
    ("tier", "stood_down", "expected"),
    [
        (2, datetime(2026, 3, 6, 10, tzinfo=SHANGHAI), datetime(2026, 3, 9, 10, tzinfo=SHANGHAI)),
        (3, datetime(2026, 3, 6, 10, tzinfo=SHANGHAI), datetime(2026, 3, 13, 10, tzinfo=SHANGHAI)),
        (3, datetime(2026, 3, 7, 10, tzinfo=SHANGHAI), datetime(2026, 3, 13, 10, tzinfo=SHANGHAI)),
    ],
    ids=["tier 2: three days", "tier 3: five working days", "tier 3 from a Saturday"],
)
def test_the_review_is_due_by_tier(tier: int, stood_down: datetime, expected: datetime) -> None:
    assert due(tier=tier, at=stood_down, zone=SHANGHAI) == expected
