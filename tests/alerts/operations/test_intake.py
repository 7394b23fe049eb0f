from datetime import timedelta
from itertools import permutations
from typing import Any

import pytest
from django.db import connection, transaction
from pytest_django import DjangoAssertNumQueries

from alerts.models import Alert, Episode, Receipt, Source, Tally
from alerts.operations import batches, intake
from core import registry
from core.registry import ReceiptOutcome
from tests.alerts.payloads import body, item, keep, only_alert, take
from tests.factories import NINE_OCLOCK
from tests.factories.alerts import SourceFactory

pytestmark = pytest.mark.django_db
END = NINE_OCLOCK + timedelta(minutes=5)
LATER = NINE_OCLOCK + timedelta(minutes=20)
AT = NINE_OCLOCK + timedelta(minutes=40)


def test_a_body_becomes_alerts_with_an_episode_each() -> None:
    receipt = take(SourceFactory.create(), body(item("A"), item("B")))

    assert (receipt.state, receipt.alert_count) == ("parsed", 2)
    assert sorted(receipt.alert_ids) == sorted(Alert.objects.values_list("pk", flat=True))
    assert set(Alert.objects.values_list("state", "episode", "received_count")) == {
        ("firing", 1, 1)
    }
    assert Episode.objects.count() == 2


def test_a_repeat_bumps_a_counter_and_nothing_else() -> None:
    source = SourceFactory.create()
    take(source, body(item()))

    take(source, body(item()), at=AT)

    alert = only_alert()
    assert (alert.received_count, alert.episode, alert.state) == (2, 1, "firing")
    assert alert.last_seen_at == AT
    assert Episode.objects.get().received_count == 2


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_signals_in_any_order_make_the_same_alert(order: tuple[int, ...]) -> None:
    source = SourceFactory.create()
    told = [item(), item(end=END), item(start=LATER)]

    for number in order:
        take(source, body(told[number]), at=AT)

    alert = only_alert()
    assert (alert.state, alert.episode, alert.received_count) == ("firing", 2, 3)
    assert (alert.starts_at, alert.ends_at) == (LATER, None)
    spans = Episode.objects.order_by("starts_at").values_list("number", "starts_at", "ends_at")
    assert list(spans) == [(1, NINE_OCLOCK, END), (2, LATER, None)]


def test_signals_of_one_alert_in_one_body_are_told_apart() -> None:
    take(SourceFactory.create(), body(item(), item(end=END), item(start=LATER)), at=AT)

    assert only_alert().episode == 2


def test_a_late_first_start_takes_the_episode_over() -> None:
    source = SourceFactory.create()
    take(source, body(item(start=LATER)), at=AT)

    take(source, body(item(start=NINE_OCLOCK)), at=AT)

    episode = Episode.objects.get()
    assert episode.starts_at == NINE_OCLOCK
    assert only_alert().starts_at == NINE_OCLOCK


def test_a_resolve_of_something_unknown_is_recorded_and_opens_nothing() -> None:
    receipt = take(SourceFactory.create(), body(item(end=END)), at=AT)

    assert receipt.state == "parsed"
    assert (only_alert().state, only_alert().episode, only_alert().group) == ("resolved", 0, None)
    assert not Episode.objects.exists()


def test_a_second_resolve_changes_no_stamp() -> None:
    source = SourceFactory.create()
    take(source, body(item(), item(end=END)), at=AT)

    take(source, body(item(end=LATER)), at=AT)

    assert (only_alert().ends_at, only_alert().received_count) == (END, 3)


def test_an_older_event_brings_back_no_older_words() -> None:
    source = SourceFactory.create()
    take(source, body(item(), item(end=END), item(start=LATER, labels={"v": "new"})), at=AT)

    take(source, body(item(labels={"v": "old"})), at=AT)

    assert only_alert().labels["v"] == "new"


def test_absent_is_not_resolved() -> None:
    source = SourceFactory.create()
    take(source, body(item("A"), item("B")))

    take(source, body(item("A"), truncatedAlerts=7))

    assert set(Alert.objects.values_list("state", flat=True)) == {"firing"}


def test_five_flaps_are_one_alert_with_five_episodes_marked_flapping() -> None:
    source = SourceFactory.create()
    for minute in range(0, 20, 4):
        start = NINE_OCLOCK + timedelta(minutes=minute)
        take(source, body(item(start=start)), at=AT)
        take(source, body(item(start=start, end=start + timedelta(minutes=2))), at=AT)

    assert (only_alert().episode, only_alert().flapping) == (5, True)


def test_more_flaps_than_are_remembered_still_count() -> None:
    source = SourceFactory.create()
    for minute in range(80):
        start = NINE_OCLOCK + timedelta(minutes=minute)
        ended = start + timedelta(seconds=20)
        take(
            source,
            body(item(start=start), item(start=start, end=ended)),
            at=AT + timedelta(hours=2),
        )

    assert (only_alert().episode, only_alert().state) == (80, "resolved")
    assert sorted(Episode.objects.values_list("number", flat=True)) == list(range(1, 81))


def test_a_start_long_ago_is_clamped_and_kept() -> None:
    long_ago = NINE_OCLOCK - timedelta(days=10)

    take(SourceFactory.create(), body(item(start=long_ago)), at=AT)

    assert (only_alert().starts_at, only_alert().event_at) == (long_ago, AT - timedelta(hours=24))


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"", "empty"),
        (b"\xff\xfe\x00", "not JSON"),
        (b"{", "not JSON"),
        (b"[1, 2]", "not an object"),
        (b'{"alerts": "many"}', "no list of alerts"),
        (b'{"alerts": [{"status": "??"}]}', "neither firing nor resolved"),
        (b"[" * 50_000, "not"),
    ],
)
def test_a_body_that_cannot_be_read_fails_with_its_reason(raw: bytes, reason: str) -> None:
    receipt = take(SourceFactory.create(), raw)

    assert receipt.state == "failed"
    assert reason in receipt.reason or "nested" in receipt.reason
    assert bytes(receipt.body) == raw


def test_a_poisoned_body_holds_up_no_other() -> None:
    source = SourceFactory.create()
    good, bad = keep(source, body(item("Good"))), keep(source, b"\x00\x01")

    intake.parse_all(at=AT)

    good.refresh_from_db()
    bad.refresh_from_db()
    assert (good.state, bad.state) == ("parsed", "failed")


def test_nul_bytes_reach_the_database_as_nothing() -> None:
    raw = b'{"alerts": [{"status": "firing", "labels": {"alertname": "A\\u0000B"}}]}'

    assert take(SourceFactory.create(), raw).state == "parsed"
    assert only_alert().name == "AB"


def test_one_bad_item_leaves_a_body_partly_parsed() -> None:
    receipt = take(SourceFactory.create(), body(item("A"), {"status": 5}))

    assert receipt.state == "partly_parsed"
    assert "item 1" in receipt.reason


@pytest.fixture
def _poison(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is called Poison makes the database refuse the batch."""
    absorb = batches.absorb

    def break_on_poison(heard: Any, *, at: Any) -> Any:
        if any(s.name == "Poison" for one in heard for s in one.reading.signals):
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1/0")
        return absorb(heard, at=at)

    monkeypatch.setattr(batches, "absorb", break_on_poison)


@pytest.mark.usefixtures("_poison")
def test_a_body_that_breaks_the_batch_fails_also_when_nothing_else_waits() -> None:
    poison = take(SourceFactory.create(), body(item("Poison")))

    assert poison.state == "failed"
    assert "division" in poison.reason


@pytest.mark.usefixtures("_poison")
def test_a_body_that_breaks_the_batch_fails_alone() -> None:
    source = SourceFactory.create()
    good, poison = keep(source, body(item("Good"))), keep(source, body(item("Poison")))

    intake.parse_all(at=AT)

    good.refresh_from_db()
    poison.refresh_from_db()
    assert (good.state, poison.state) == ("parsed", "failed")
    assert "DivisionByZero" in poison.reason or "division" in poison.reason
    assert only_alert().name == "Good"


def test_a_worker_that_dies_in_the_middle_loses_and_doubles_nothing() -> None:
    receipt = keep(SourceFactory.create(), body(item()))

    with transaction.atomic():
        intake.parse_pending(at=AT)
        transaction.set_rollback(True)
    receipt.refresh_from_db()
    pending = receipt.state
    intake.parse_all(at=AT)

    assert pending == "pending"
    assert (only_alert().received_count, only_alert().episode) == (1, 1)


def test_another_apps_kind_goes_to_its_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[object] = []

    def parser(payload: object, **ids: Any) -> ReceiptOutcome:
        seen.append(payload)
        return ReceiptOutcome(state="parsed", incidents=[7])

    monkeypatch.setattr(registry.receipt_parsers, "_items", {"recovery": parser})
    receipt = take(SourceFactory.create(kind="recovery"), {"event": "fault"})

    assert seen == [{"event": "fault"}]
    assert (receipt.state, receipt.incident_numbers) == ("parsed", [7])


def test_the_source_knows_its_last_body_and_error() -> None:
    source: Source = SourceFactory.create()

    receipt = take(source, b"rubbish")

    source.refresh_from_db()
    assert (source.last_receipt_id, source.last_error) == (receipt.id, receipt.reason)


def test_each_minute_is_tallied() -> None:
    source = SourceFactory.create()
    take(source, body(item("A"), item("B"), truncatedAlerts=3))
    take(source, body(item("A")))

    rows = Tally.objects.values_list("episodes", "received", "truncated")
    assert [sum(column) for column in zip(*rows, strict=True)] == [2, 3, 3]


def test_a_batch_costs_the_same_statements_for_one_alert_and_for_many(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    source = SourceFactory.create()
    take(source, body(item("Warm")))
    keep(source, body(*(item(f"A{n}") for n in range(300))))

    with django_assert_max_num_queries(40):
        intake.parse_pending(at=AT)

    assert Alert.objects.count() == 301


def test_what_is_told_twice_at_once_is_one_alert() -> None:
    source = SourceFactory.create()
    for _ in range(50):
        keep(source, body(item()))

    intake.parse_all(at=AT)

    assert (only_alert().received_count, only_alert().episode) == (50, 1)
    assert not Receipt.objects.exclude(state="parsed").exists()


def test_the_product_itself_may_parse_and_make_partitions(as_the_product: None) -> None:
    receipt = take(SourceFactory.create(), body(item(start=NINE_OCLOCK - timedelta(days=200))))

    assert receipt.state == "parsed"
