"""Sources with their last body, their rate and what they were refused."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection
from django.db.models import QuerySet

from alerts.models import Receipt, Refusal, Source
from alerts.queries.receipts import body_text
from people.models import User
from people.queries import visible

WINDOW = timedelta(hours=1)
MOST_BODY = 4_000
NONE = (0, 0, 0)
RATES = """
    SELECT source_id, count(*), sum(alert_count), count(*) FILTER (WHERE state = 'failed')
    FROM receipts WHERE id >= uuidv7_floor(%s) AND received_at >= %s GROUP BY source_id
"""


@dataclass(slots=True)
class SourceRow:
    """A source; posts, alerts and failed bodies are of the last hour."""

    source: Source
    posts: int
    alerts: int
    failed: int
    last_body: str
    refusals: list[Refusal]


def source_rows(user: User, *, at: datetime) -> list[SourceRow]:
    sources = list(visible_sources(user))
    with connection.cursor() as cursor:
        cursor.execute(RATES, [at - WINDOW - timedelta(minutes=5), at - WINDOW])
        rates = {row[0]: row[1:] for row in cursor.fetchall()}
    bodies = _last_bodies(sources)
    refused: dict[int, list[Refusal]] = {}
    for refusal in Refusal.objects.exclude(source=None).order_by("-last_at")[:200]:
        refused.setdefault(refusal.source_id or 0, []).append(refusal)
    return [
        SourceRow(
            source=source,
            posts=int(rates.get(source.pk, NONE)[0] or 0),
            alerts=int(rates.get(source.pk, NONE)[1] or 0),
            failed=int(rates.get(source.pk, NONE)[2] or 0),
            last_body=bodies.get(source.pk, ""),
            refusals=refused.get(source.pk, []),
        )
        for source in sources
    ]


def visible_sources(user: User) -> QuerySet[Source]:
    found = visible(Source.objects.by_name(), user)
    return found.filter(region__in=user.regions) if user.regions else found


def unknown_senders() -> list[Refusal]:
    """Who posted with a key that is not known: usually one that was typed wrong."""
    return list(Refusal.objects.filter(source=None).order_by("-last_at")[:20])


def _last_bodies(sources: list[Source]) -> dict[int, str]:
    ids = [source.last_receipt_id for source in sources if source.last_receipt_id]
    small = Receipt.objects.filter(id__in=ids, size__lte=1_000_000)
    return {one.source_id: body_text(one, most=MOST_BODY)[0] for one in small}
