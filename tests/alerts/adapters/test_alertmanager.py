from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alerts.adapters import ADAPTERS, alertmanager
from alerts.adapters.base import MalformedPayload, Reading, SourceSettings
from tests.alerts.payloads import ZERO, body, item
from tests.factories import NINE_OCLOCK

SETTINGS = SourceSettings(volatile_labels=frozenset({"value"}))
AT = NINE_OCLOCK + timedelta(minutes=10)

json_values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4)
    ),
    max_leaves=12,
)
KEYS = ["status", "labels", "annotations", "startsAt", "endsAt", "fingerprint", "generatorURL"]


def read(*items: dict[str, Any], **more: Any) -> Reading:
    return alertmanager.parse(body(*items, **more), settings=SETTINGS, at=AT)


def test_state_is_the_alerts_own_and_not_the_groups() -> None:
    ended = NINE_OCLOCK + timedelta(minutes=5)

    firing, resolved = read(item("A"), item("B", end=ended), status="firing").signals

    assert (firing.firing, firing.ends_at) == (True, None)
    assert (resolved.firing, resolved.ends_at) == (False, ended)


@pytest.mark.parametrize("ends_at", [ZERO, (AT + timedelta(hours=4)).isoformat()])
@pytest.mark.parametrize("status", ["firing", "resolved"])
def test_an_end_of_zero_or_in_the_future_means_firing(ends_at: str, status: str) -> None:
    (signal,) = read(item(status=status, endsAt=ends_at)).signals

    assert signal.firing


def test_a_resolve_without_an_end_ended_when_it_was_received() -> None:
    (signal,) = read(item(status="resolved", endsAt=None)).signals

    assert (signal.firing, signal.ends_at) == (False, AT)


@pytest.mark.parametrize("status", ["Firing", "ok", "resolved!", "", None, 1, {}])
def test_only_exact_status_words_count(status: object) -> None:
    with pytest.raises(MalformedPayload, match="neither firing nor resolved"):
        read(item(status=status))


def test_one_bad_item_does_not_lose_the_others() -> None:
    reading = read(item("A"), {"status": "??"}, item("B"))

    assert [signal.name for signal in reading.signals] == ["A", "B"]
    assert reading.errors == ["item 1: status '??' is neither firing nor resolved"]


def test_without_a_fingerprint_the_sorted_labels_are_the_identity() -> None:
    one = item(fingerprint="", labels={"b": "2", "a": "1"})
    two = item(fingerprint=None, labels={"a": "1", "b": "2"})
    other = item(fingerprint="", labels={"a": "1", "b": "3"})

    first, second, third = (signal.fingerprint for signal in read(one, two, other).signals)

    assert first == second
    assert first != third


def test_volatile_labels_do_not_make_another_alert() -> None:
    one, two = (item(fingerprint="", labels={"value": value}) for value in ("1", "2"))

    first, second = read(one, two).signals

    assert first.fingerprint == second.fingerprint


def test_an_unknown_severity_gets_the_sources_default_and_says_so() -> None:
    (signal,) = read(item(labels={"severity": "catastrophic"})).signals

    assert signal.severity == "warning"
    assert "severity_unknown" in signal.notes


def test_a_start_in_the_future_is_not_used() -> None:
    (signal,) = read(item(start=AT + timedelta(days=365))).signals

    assert signal.starts_at is None


@pytest.mark.parametrize("count", [116, 0])
def test_what_was_cut_is_counted(count: int) -> None:
    assert read(item(), truncatedAlerts=count).truncated == count


@pytest.mark.parametrize("count", [None, "116", -3, True, 1.5])
def test_a_cut_that_is_no_number_counts_as_none(count: object) -> None:
    assert read(item(), truncatedAlerts=count).truncated == 0


@given(st.dictionaries(st.sampled_from(KEYS), json_values, max_size=7))
def test_no_item_breaks_the_adapter(strange: dict[str, Any]) -> None:
    reading = read(item("Good"), {**item("Strange"), **strange})

    assert reading.signals[0].name == "Good"
    for signal in reading.signals:
        assert "\0" not in "".join([signal.name, *signal.labels.values()])
        assert len(signal.fingerprint) <= 128


@given(json_values)
@pytest.mark.parametrize("kind", sorted(ADAPTERS))
def test_no_body_breaks_an_adapter(kind: str, strange: object) -> None:
    with suppress(MalformedPayload):
        assert ADAPTERS[kind](strange, settings=SETTINGS, at=AT).signals is not None
