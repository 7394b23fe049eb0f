from datetime import timedelta
from typing import Any

import pytest

from alerts.adapters import streams
from alerts.models import Alert, AlertGroup, Episode
from alerts.operations import groups, upkeep
from alerts.queries.groups import group_facts
from core.models import Event
from tests.alerts.payloads import body, item, take
from tests.factories import NINE_OCLOCK
from tests.factories.alerts import SourceFactory

pytestmark = pytest.mark.django_db
ECC = {
    "node": "sn05-n17",
    "npu": "3",
    "fault_code": "80E01801",
    "job_id": "pt-1",
    "region": "ulanqab",
}
AT = NINE_OCLOCK + timedelta(minutes=1)


def card_fault(**more: Any) -> dict[str, object]:
    return item("NPUErrorCodeWarning", labels=ECC, **more)


def test_a_hardware_fault_makes_a_group_with_a_root_and_tells_of_it() -> None:
    take(SourceFactory.create(), body(card_fault()))

    group = AlertGroup.objects.get()
    assert (group.failure_class, group.root["level"]) == ("DRV", "card")
    assert (group.alert_count, group.received_count, group.truncated_count) == (1, 1, 0)
    assert Event.objects.get(kind="alert_group_changed").ids == {"group_id": group.pk}
    assert Alert.objects.get().group == group
    assert Alert.objects.get().why[0]["code"] == "rule"


def test_a_repeat_changes_counts_only() -> None:
    source = SourceFactory.create()
    take(source, body(card_fault()))
    before = AlertGroup.objects.values("root", "affected", "facts", "alert_count").get()

    take(source, body(card_fault()))

    after = AlertGroup.objects.values("root", "affected", "facts", "alert_count").get()
    assert before == after
    assert AlertGroup.objects.get().received_count == 2


def test_news_about_something_else_tells_nothing_of_this_group() -> None:
    source = SourceFactory.create()
    take(source, body(card_fault()))
    told = Event.objects.count()

    take(source, body(item("FanRedundancyLost", labels={"node": "sn27-n08", "severity": "info"})))

    assert Event.objects.count() == told


def test_what_was_cut_counts_once_however_often_it_is_told() -> None:
    source = SourceFactory.create()
    for _ in range(2):
        take(source, body(card_fault(), truncatedAlerts=116, groupKey="{}:{a=1}"))

    assert AlertGroup.objects.get().truncated_count == 116


def test_a_drill_and_a_real_alert_never_share_a_group() -> None:
    source = SourceFactory.create()
    drill = {**ECC, "drill": "true"}
    take(source, body(card_fault(), item("NPUErrorCodeWarning", labels=drill, fingerprint="d")))

    assert sorted(AlertGroup.objects.values_list("is_drill", flat=True)) == [False, True]


def test_the_storm_is_one_group_with_its_numbers() -> None:
    source = SourceFactory.create()
    stream = streams.load(streams.find("d_"))
    shift = NINE_OCLOCK - stream.start
    for post in stream.posts:
        at = NINE_OCLOCK + timedelta(seconds=post.offset_s)
        take(source, dict(streams.moved(post.body, shift)), at=at)

    assert Alert.objects.count() == 2490
    group = AlertGroup.objects.order_by("-alert_count")[0]
    assert group.failure_class == "NIN"
    assert group.truncated_count == 116
    assert AlertGroup.objects.count() == 1
    assert sum(Alert.objects.values_list("received_count", flat=True)) == 3082
    assert group.alert_count == Episode.objects.filter(group_id=group.pk).count()


def test_an_incident_is_attached_and_closes_its_group() -> None:
    take(SourceFactory.create(), body(card_fault()))
    group = AlertGroup.objects.get()

    groups.attach_incident(group_id=group.pk, number=7, open=True, at=AT)
    groups.close(group_id=group.pk, at=AT)

    group.refresh_from_db()
    assert (group.incident_number, group.incident_open, group.state) == (7, False, "closed")


def test_a_closed_group_keeps_what_it_holds_and_takes_nothing_new() -> None:
    source = SourceFactory.create()
    take(source, body(card_fault()))
    first = AlertGroup.objects.get()
    groups.close(group_id=first.pk, at=AT)

    take(source, body(card_fault()))
    take(source, body(card_fault(start=AT, fingerprint="another")), at=AT + timedelta(minutes=1))

    first.refresh_from_db()
    assert first.alert_count == 1
    assert AlertGroup.objects.exclude(pk=first.pk).get().alert_count == 1


def test_facts_are_there_for_the_apps_above() -> None:
    take(SourceFactory.create(), body(card_fault()))

    assert group_facts(AlertGroup.objects.get().pk)["hard_error"] in (True, False)
    assert group_facts(0) == {}


def test_half_an_hour_without_firing_is_quiet_and_a_new_firing_wakes_it() -> None:
    source = SourceFactory.create()
    ended = NINE_OCLOCK + timedelta(seconds=30)
    take(source, body(card_fault(), card_fault(end=ended)))
    too_early = upkeep.quiet_groups(at=ended + timedelta(minutes=29))
    due = ended + timedelta(minutes=31)

    in_time = upkeep.quiet_groups(at=due)

    assert (too_early, in_time) == (0, 1)
    assert AlertGroup.objects.get().state == "quiet"


def test_a_group_that_still_fires_is_not_quiet() -> None:
    take(SourceFactory.create(), body(card_fault()))

    assert upkeep.quiet_groups(at=NINE_OCLOCK + timedelta(hours=5)) == 0


def test_an_alert_without_news_is_stale_and_news_makes_it_fire_again() -> None:
    source = SourceFactory.create(stale_after_hours=12)
    take(source, body(item()))
    early = upkeep.stale_alerts(at=AT + timedelta(hours=12))

    due = upkeep.stale_alerts(at=AT + timedelta(hours=12, seconds=1))
    stale = Alert.objects.get().state
    take(source, body(item()), at=AT + timedelta(hours=13))

    assert (early, due, stale) == (0, 1, "stale")
    assert Alert.objects.get().state == "firing"


def test_flapping_calms_down_after_an_hour_without_a_change() -> None:
    source = SourceFactory.create()
    for minute in (0, 4):
        start = NINE_OCLOCK + timedelta(minutes=minute)
        ended = start + timedelta(minutes=1)
        take(source, body(item(start=start), item(start=start, end=ended)), at=ended)
    last = Alert.objects.get().last_change_at

    early = upkeep.calm_alerts(at=last + timedelta(hours=1))
    due = upkeep.calm_alerts(at=last + timedelta(hours=1, seconds=1))

    assert (early, due, Alert.objects.get().flapping) == (0, 1, False)


def test_a_fault_that_begins_anew_after_its_group_was_closed_opens_a_new_group() -> None:
    source = SourceFactory.create()
    take(source, body(card_fault()))
    first = AlertGroup.objects.get()
    groups.attach_incident(group_id=first.pk, number=7, open=True, at=AT)
    groups.close(group_id=first.pk, at=AT)

    take(source, body(card_fault()), at=AT + timedelta(minutes=1))
    assert AlertGroup.objects.count() == 1

    again = NINE_OCLOCK + timedelta(seconds=30)
    take(source, body(card_fault(start=again)), at=AT + timedelta(minutes=2))

    fresh = AlertGroup.objects.exclude(pk=first.pk).get()
    assert (fresh.state, fresh.alert_count) == ("open", 1)


def test_the_words_of_a_resolve_do_not_become_the_cause() -> None:
    source = SourceFactory.create()
    take(source, body(card_fault(annotations={"summary": "ECC error on card 3"})))

    end = NINE_OCLOCK + timedelta(seconds=20)
    take(source, body(card_fault(end=end, annotations={"summary": "card 3 is fine again"})))

    assert Alert.objects.get().annotations["summary"] == "ECC error on card 3"
