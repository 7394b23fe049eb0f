from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notifications.adapters.texts import SLUGS, Facts, render
from notifications.states import LONGEST, MAX_ATTEMPTS, TRANSITIONS, State, back_off

ZONE = ZoneInfo("Asia/Shanghai")


def facts(template: str, *, drill: bool = False, **params: Any) -> Facts:
    return Facts(
        template=template, params=params, incident_number=7, tier=2, url="/x/", is_drill=drill
    )


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("slug", sorted(SLUGS | {"no_such_slug"}))
def test_every_message_has_subject_body_link_and_short_form(slug: str, language: str) -> None:
    every: list[dict[str, Any]] = [
        {},
        {"title": "T", "domain": "NET", "minutes": 5, "text": "x", "note": "n"},
    ]
    for params in every:
        text = render(facts(slug, **params), language=language, zone=ZONE)

        assert text.subject.startswith("INC-7")
        assert "/m/7/" in text.body
        assert text.short
        assert "\n" not in text.subject
        assert "{" not in text.subject + text.body + text.short


@pytest.mark.parametrize("slug", sorted(SLUGS))
def test_no_message_is_the_same_in_both_languages(slug: str) -> None:
    english, chinese = (render(facts(slug), language=x, zone=ZONE) for x in ("en", "zh-hans"))

    assert english.subject != chinese.subject
    assert english.body != chinese.body


def test_texts_in_two_languages_and_instants_are_the_readers() -> None:
    told = facts(
        "incident_call", title={"en": "down", "zh": "宕机"}, opened_at="2026-03-02T09:00:00+00:00"
    )

    text = render(told, language="zh-hans", zone=ZONE)

    assert "宕机" in text.subject
    assert "2026-03-02 17:00:00" in text.body


def test_a_drill_says_so_first() -> None:
    assert render(facts("incident_call", drill=True), language="en", zone=ZONE).subject.startswith(
        "[DRILL]"
    )


@given(st.text(max_size=300))
def test_sender_text_comes_through_as_it_is(title: str) -> None:
    text = render(facts("incident_call", title=title), language="en", zone=ZONE)

    assert " ".join(title.split()) in text.subject


@given(attempts=st.integers(1, 50), seed=st.text(max_size=20))
def test_the_back_off_is_bounded_and_spread(attempts: int, seed: str) -> None:
    wait = back_off(attempts=attempts, seed=seed)

    assert 1.5 <= wait.total_seconds() <= LONGEST.total_seconds()
    assert wait == back_off(attempts=attempts, seed=seed)


def test_all_attempts_fit_into_the_three_minutes_before_the_backup_is_called() -> None:
    waits = [back_off(attempts=n, seed="x").total_seconds() for n in range(1, MAX_ATTEMPTS)]

    assert sum(waits) < 180


def test_nothing_leaves_an_end_state() -> None:
    assert [s for s in State if not TRANSITIONS[s]] == ["sent", "failed", "cancelled", "skipped"]
