"""What readiness, metrics and the integrity check ask of this app."""

from collections.abc import Iterable
from datetime import datetime

from django.db import connection

from alerts.models import Refusal
from alerts.queries.receipts import unparsed
from core.registry import Metric

WEEKS_AT_LEAST = 2


def weeks_ahead() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT receipt_weeks_ahead()")
        return int(cursor.fetchone()[0])


def ready(at: datetime) -> str:
    weeks = weeks_ahead()
    if weeks < WEEKS_AT_LEAST:
        return f"receipts: partitions for {weeks} weeks ahead, at least {WEEKS_AT_LEAST} needed"
    return ""


def metrics(at: datetime) -> Iterable[Metric]:
    number, age = unparsed()
    yield Metric(name="warroom_receipts_unparsed", value=number, help="Bodies waiting to be parsed")
    yield Metric(
        name="warroom_receipts_oldest_seconds", value=age, help="Age of the oldest waiting body"
    )
    yield Metric(
        name="warroom_receipt_weeks_ahead",
        value=weeks_ahead(),
        help="Weekly partitions of receipts that are ready",
    )
    for status in (401, 413):
        counts = Refusal.objects.filter(status=status).values_list("count", flat=True)
        yield Metric(
            name="warroom_hook_refusals_total",
            value=sum(counts),
            help="Bodies refused by the hooks",
            labels={"status": str(status)},
        )


CHECKS = {
    "an open group counts other episodes than it holds": """
        SELECT count(*) FROM alerts_alertgroup g WHERE g.state IN ('open', 'quiet')
        AND g.alert_count <> (SELECT count(*) FROM alert_episodes e WHERE e.group_id = g.id)""",
    "an episode belongs to an alert that is gone": """
        SELECT count(*) FROM alert_episodes e
        WHERE NOT EXISTS (SELECT FROM alerts a WHERE a.id = e.alert_id)""",
    "an alert is firing although its last episode ended": """
        SELECT count(*) FROM alerts WHERE state = 'firing' AND ends_at IS NOT NULL""",
    "a receipt is done without saying when": """
        SELECT count(*) FROM receipts WHERE state <> 'pending' AND parsed_at IS NULL""",
}


def check_integrity() -> list[str]:
    """Sentences of what is wrong, with how often."""
    wrong = []
    with connection.cursor() as cursor:
        for sentence, query in CHECKS.items():
            cursor.execute(query)
            (number,) = cursor.fetchone()
            if number:
                wrong.append(f"alerts: {sentence} ({number})")
    return wrong
