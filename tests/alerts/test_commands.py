from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from pytest_django.live_server_helper import LiveServer

from alerts.adapters import streams
from alerts.models import Alert, Receipt, Rule, Source
from alerts.operations import intake, rules
from alerts.operations.sources import key_hash
from alerts.queries import brain
from tests.factories import NINE_OCLOCK

SHIPPED = "abcdefgh"


@pytest.mark.parametrize("letter", SHIPPED)
def test_every_shipped_stream_can_be_loaded(letter: str) -> None:
    stream = streams.load(streams.find(f"{letter}_"))

    assert stream.posts
    assert all(alert["fingerprint"] for post in stream.posts for alert in post.body["alerts"])


def test_the_storm_has_its_numbers() -> None:
    stream = streams.load(streams.find("d_"))
    alerts = [alert for post in stream.posts for alert in post.body["alerts"]]

    assert (len(stream.posts), len(alerts)) == (17, 3082)
    assert len({alert["fingerprint"] for alert in alerts}) == 2490


def test_moving_a_stream_ends_it_now_and_leaves_zero_alone() -> None:
    stream = streams.load(streams.find("b_"))

    by = streams.shift(stream, now=NINE_OCLOCK, speed=1.0)
    body = streams.moved(stream.posts[0].body, by)

    assert by == NINE_OCLOCK - stream.start
    assert body["alerts"][0]["endsAt"] == streams.ZERO
    assert body["alerts"][0]["startsAt"].startswith("2026-03-02T09:00:")


@pytest.mark.django_db
def test_create_source_prints_the_key_as_its_last_word() -> None:
    out = StringIO()

    call_command("create_source", kind="alertmanager", name="am", stdout=out)

    assert key_hash(out.getvalue().split()[-1]) == Source.objects.get().key_hash


@pytest.mark.django_db
def test_create_source_fails_for_a_name_that_is_taken() -> None:
    call_command("create_source", kind="json", name="am", stdout=StringIO())

    with pytest.raises(CommandError, match="already"):
        call_command("create_source", kind="json", name="am", stdout=StringIO())


@pytest.mark.django_db
def test_the_shipped_rules_load_twice_as_once_and_leave_edits_alone() -> None:
    count = rules.load_shipped()
    rule = Rule.objects.order_by("order")[0]
    rule.name_en, rule.version = "ours", 2
    rule.save(update_fields=["name_en", "version"])

    again = rules.load_shipped()

    rule.refresh_from_db()
    assert (again, Rule.objects.count(), rule.name_en) == (count, count, "ours")
    assert brain.rules().tests


@pytest.mark.django_db(transaction=True)
def test_replay_posts_a_stream_through_the_real_hook(live_server: LiveServer) -> None:
    out = StringIO()

    call_command("replay", "a", speed=10_000, base=live_server.url, stdout=out)
    intake.parse_all(at=NINE_OCLOCK + timedelta(days=1))

    assert "10 posts, 12 alerts accepted" in out.getvalue()
    assert Receipt.objects.filter(state="parsed").count() == 10
    assert Alert.objects.count() == 9


@pytest.mark.parametrize(
    ("words", "sentence"), [(["nothing"], "no stream"), (["a", "--speed=0"], "above 0")]
)
def test_replay_says_what_is_wrong(words: list[str], sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence):
        call_command("replay", *words)
