"""What clocks, times and people look like before a browser ticks them."""

from dataclasses import dataclass
from datetime import datetime, timedelta

import pytest
from django.utils import timezone, translation

from core.templatetags.warroom_time import ago, duration, minutes, when, words
from core.templatetags.warroom_ui import avatar_class, clock_face, initials
from tests.factories import NINE_OCLOCK

TEN_MINUTES = timedelta(minutes=10)


@dataclass(kw_only=True)
class Clock:
    started_at: datetime
    state: str = "running"
    kind: str = "assemble"
    met_at: datetime | None = None

    @property
    def due_at(self) -> datetime:
        return self.started_at + TEN_MINUTES


@pytest.mark.parametrize(
    ("passed", "level", "word"),
    [(0.2, "calm", "left"), (0.6, "amber", "left"), (0.95, "red", "left"), (1.5, "over", "over")],
)
def test_a_running_clock_turns_from_calm_to_over_and_says_so(
    passed: float, level: str, word: str
) -> None:
    face = clock_face(Clock(started_at=timezone.now() - TEN_MINUTES * passed))

    assert (face.level, face.word, face.ticking) == (level, word, True)
    assert face.value.startswith("+") == (level == "over")


@pytest.mark.parametrize(("after", "level"), [(6, "met"), (13, "late")])
def test_an_ended_clock_stands_still_and_says_whether_it_was_kept(after: int, level: str) -> None:
    met_at = NINE_OCLOCK + timedelta(minutes=after)

    face = clock_face(Clock(started_at=NINE_OCLOCK, state="met", met_at=met_at))

    assert (face.level, face.value, face.ticking) == (level, f"{after:02}:00", False)


def test_a_cancelled_clock_shows_no_figures() -> None:
    face = clock_face(Clock(started_at=NINE_OCLOCK, state="cancelled"))

    assert (face.value, face.word) == ("–", "cancelled")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "00:00"), (372, "06:12"), (4724, "01:18:44"), (273_600, "3 d 4 h"), (None, "–")],
)
def test_durations_read_like_the_clocks(seconds: float | None, text: str) -> None:
    assert duration(seconds) == text


def test_minutes_and_words_follow_the_language() -> None:
    assert (minutes(1104), words(7500)) == ("18.4 min", "2 h")
    with translation.override("zh-hans"):
        assert (minutes(1104), words(7500)) == ("18.4 分钟", "2 小时")


def test_an_instant_carries_its_iso_form_and_the_zone_of_the_site() -> None:
    shown = when(NINE_OCLOCK, "full")

    assert 'datetime="2026-03-02T09:00:00+00:00"' in shown
    assert "2026-03-02 17:00:00 Asia/Shanghai" in shown
    assert "ago" in ago(NINE_OCLOCK)
    assert when(None) == ago(None)


def test_initials_fit_an_avatar_in_both_scripts() -> None:
    assert [initials(name) for name in ("Lin Wei", "林伟", "", None)] == ["LW", "伟", "?", "?"]
    assert avatar_class("Lin Wei") == avatar_class("Lin Wei")
