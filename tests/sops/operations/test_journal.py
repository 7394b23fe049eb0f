from datetime import timedelta

import pytest
from django.test import override_settings
from django.utils import translation

from core.registry import timeline_texts
from people.models import User
from sops.models import ProcedureVersion, Run
from sops.operations import actions, journal, overruns, runs
from tests.factories import NINE_OCLOCK, UserFactory
from tests.factories.warroom import IncidentFactory
from warroom.models import TimelineEntry

pytestmark = pytest.mark.django_db


@pytest.fixture
def by(db: None) -> User:
    return UserFactory.create()


@pytest.fixture
def run(procedures: dict[str, ProcedureVersion]) -> Run:
    started = runs.follow(number=IncidentFactory.create().number, at=NINE_OCLOCK)
    assert started is not None
    return started


def said(language: str) -> list[str]:
    sentences = []
    with translation.override(language):
        for entry in TimelineEntry.objects.filter(kind__startswith="sop_").order_by("id"):
            render = timeline_texts.get(entry.kind)
            assert render is not None
            sentences.append(str(render(entry.params)))
    return sentences


def test_the_timeline_tells_the_walk_in_the_readers_language(run: Run, by: User) -> None:
    moves: list[tuple[str, dict[str, object]]] = [
        ("fail", {"step": 1, "note": "no table"}),
        ("retry", {"step": 1}),
        ("done", {"step": 1, "output": "a\nb\n"}),
        ("skip", {"step": 2, "reason": "all here"}),
        ("start", {"step": 12}),
        ("branch", {"step": 3, "to": "6"}),
        ("abort", {"reason": "vendor"}),
    ]
    for minute, (action, data) in enumerate(moves, start=1):
        at = NINE_OCLOCK + timedelta(minutes=minute)
        actions.take(run_id=run.pk, action=action, data=data, by=by, at=at)

    assert said("en") == [
        "SOP DRV Driver or NPU fault, version 1, started",
        "SOP step 1 failed after 1 of 3 min: Acknowledge and decode the code",
        "SOP step 1 tried again (attempt 2): Acknowledge and decode the code",
        "SOP step 1 done in 1 of 3 min: Acknowledge and decode the code (output: 2 lines)",
        "SOP step 2 skipped: Assemble HW, DRV and PLT; count the nodes",
        "SOP step 12 started early: Hardware fault record",
        "SOP step 3: branch to step 6, Driver and firmware branch",
        "SOP DRV closed with 2 of 13 steps done: somebody aborted it",
    ]
    assert (
        said("zh-hans")[3] == "SOP 第 1 步完成，用时 1 / 3 分钟：认领事件，解读故障码（输出 2 行）"
    )
    assert said("zh-hans")[6] == "SOP 第 3 步走分支，转第 6 步：驱动/固件分支"


def test_twice_the_budget_is_said_in_both_languages(run: Run) -> None:
    overruns.say_due(at=NINE_OCLOCK + timedelta(minutes=7))

    assert "the commander decides" in said("en")[-1]
    assert "由指挥官决定" in said("zh-hans")[-1]


def test_minutes_follow_the_clock_scale() -> None:
    later = NINE_OCLOCK + timedelta(seconds=90)

    assert journal.minutes(NINE_OCLOCK, later) == 1
    with override_settings(CLOCK_SCALE=60.0):
        assert journal.minutes(NINE_OCLOCK, later) == 90
    assert journal.minutes(later, NINE_OCLOCK) == 0
