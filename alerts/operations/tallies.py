"""What arrived in each minute: written once a batch, so that the board need not count."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from alerts.models import Source
from alerts.operations import sql
from alerts.operations.batches import Heard, is_drill
from alerts.operations.histories import SpanChange

ADD = """
    INSERT INTO alerts_tally AS t
        (minute, region, audience_id, is_drill, episodes, received, truncated)
    SELECT * FROM unnest(%b::timestamptz[], %b::text[], %b::bigint[], %b::boolean[], %b::integer[],
        %b::integer[], %b::integer[])
    ON CONFLICT (minute, region, audience_id, is_drill) DO UPDATE SET
        episodes = t.episodes + excluded.episodes, received = t.received + excluded.received,
        truncated = t.truncated + excluded.truncated
"""
Key = tuple[datetime, str, int | None, bool]


def add(heard: Sequence[Heard], fresh: Sequence[SpanChange]) -> None:
    """`fresh`: the episodes that these bodies began."""
    counts: dict[Key, list[int]] = {}
    sources = {one.source.pk: one.source for one in heard}
    for one in heard:
        for signal in one.reading.signals:
            _add(counts, _key(one.received_at, one.source, signal.labels), (0, 1, 0))
        if one.reading.truncated:
            labels = one.reading.signals[0].labels if one.reading.signals else {}
            key = _key(one.received_at, one.source, labels)
            _add(counts, key, (0, 0, one.reading.truncated))
    for change in fresh:
        source = sources[change.history.source_id]
        _add(counts, _key(change.seen_at, source, change.history.labels), (1, 0, 0))
    if counts:
        rows = [(*key, *numbers) for key, numbers in sorted(counts.items(), key=_order)]
        sql.run(ADD, *sql.columns(rows, 7))


def _key(at: datetime, source: Source, labels: Mapping[str, str]) -> Key:
    region = source.region or labels.get("region", "")[:64]
    minute = at.replace(second=0, microsecond=0)
    return minute, region, source.audience_id, is_drill(labels, source)


def _add(counts: dict[Key, list[int]], key: Key, numbers: tuple[int, int, int]) -> None:
    held = counts.setdefault(key, [0, 0, 0])
    for place, number in enumerate(numbers):
        held[place] += number


def _order(item: tuple[Key, list[int]]) -> tuple[datetime, str, int, bool]:
    minute, region, audience, drill = item[0]
    return minute, region, audience or 0, drill
