"""What a batch of bodies does to alerts, episodes and groups. One transaction, set-based."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from alerts.adapters.base import Reading
from alerts.correlation import Fact, correlate
from alerts.models import Source
from alerts.operations import alert_rows, episode_rows, groups, partitions, unknown
from alerts.operations.histories import History, SpanChange, Told, begin, tell
from alerts.queries import brain, working_set
from alerts.queries.brain import Brain
from alerts.queries.working_set import Member, WorkingSet
from alerts.states import AlertState


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """One receipt that could be read."""

    source: Source
    received_at: datetime
    reading: Reading


@dataclass(slots=True)
class Batch:
    """Everything that one batch knows, from signals to verdicts."""

    heard: Sequence[Heard]
    brain: Brain
    stored: dict[tuple[int, str], alert_rows.Stored] = field(default_factory=dict)
    histories: dict[tuple[int, str], History] = field(default_factory=dict)
    by_receipt: dict[int, list[tuple[int, str]]] = field(default_factory=dict)
    spans: list[SpanChange] = field(default_factory=list)
    members: list[Member] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Absorbed:
    """The alerts of each receipt, and the episodes that began."""

    alerts: Sequence[list[int]]
    fresh: Sequence[SpanChange]


def absorb(heard: Sequence[Heard], *, at: datetime) -> Absorbed:
    """
    Take in what the receipts say.

    The caller holds the site's lock and has the transaction.
    """
    batch = Batch(heard=heard, brain=brain.current())
    _tell(batch)
    if not batch.histories:
        return Absorbed(alerts=[[] for _ in heard], fresh=[])
    partitions.make_months(change.event_at for change in batch.spans)
    working = working_set.load(brain=batch.brain, since=_since(batch, at))
    facts = _join(batch, working)
    verdicts = correlate(
        list(facts.values()),
        topology=batch.brain.topology,
        open_groups=working_set.open_groups(working),
        settings=batch.brain.settings,
    )
    moved = groups.follow(verdicts, working=working, truncated=_truncated(batch, working), at=at)
    _write_alerts(batch, working)
    episode_rows.write(batch.spans, batch.members, working)
    episode_rows.reassign(moved, written={member.id for member in batch.members})
    unknown.register(working.facts[m.id] for m in batch.members if m.id in working.facts)
    working_set.keep(working.facts, batch.brain)
    return Absorbed(
        alerts=[
            sorted({batch.histories[key].id or 0 for key in batch.by_receipt.get(number, ())})
            for number in range(len(heard))
        ],
        fresh=[change for change in batch.spans if change.was is None],
    )


def _tell(batch: Batch) -> None:
    told: dict[tuple[int, str], list[Told]] = defaultdict(list)
    for number, heard in enumerate(batch.heard):
        for signal in heard.reading.signals:
            one = Told(
                signal=signal,
                source_id=heard.source.pk,
                received_at=heard.received_at,
                receipt=number,
            )
            told[one.key].append(one)
            batch.by_receipt.setdefault(number, []).append(one.key)
    batch.stored = alert_rows.load(told)
    for key, signals in told.items():
        stored = batch.stored.get(key)
        history = stored.history if stored else begin(signals[0])
        if stored and stored.closed:
            history.marks = history.marks.with_cut()
        batch.histories[key] = history
        batch.spans += tell(history, signals)
    alert_rows.number([h for h in batch.histories.values() if h.id is None])
    batch.members = episode_rows.members_of(batch.spans)


def _since(batch: Batch, at: datetime) -> datetime:
    """The earliest event of an episode that is new or has changed."""
    return min((change.event_at for change in batch.spans if _matters(change)), default=at)


def _matters(change: SpanChange) -> bool:
    return change.was is None or change.span.end is not None


def _join(batch: Batch, working: WorkingSet) -> dict[int, Fact]:
    """
    Put the batch's episodes into the working set; returns the facts to correlate.

    An episode of a group that was closed stays there, whatever is told about it.
    """
    sources = {heard.source.pk: heard.source for heard in batch.heard}
    for change, member in zip(batch.spans, batch.members, strict=True):
        kept = working.members.get(member.id)
        if kept is None and change.was is not None and member.group_id not in working.groups:
            working.facts[member.id] = _fact(batch, change, member, sources)
            continue
        working.members[member.id] = member
        known = working.facts.get(member.id)
        if known is None or change.history.reworded or known.ended_at != member.ends_at:
            working.facts[member.id] = _fact(batch, change, member, sources)
    return {pk: working.facts[pk] for pk in working.members if pk in working.facts}


def _fact(batch: Batch, change: SpanChange, member: Member, sources: dict[int, Source]) -> Fact:
    history = change.history
    return batch.brain.reader.read(
        episode=member.id,
        source=history.source_id,
        name=history.name,
        severity=history.severity,
        state=AlertState.RESOLVED if change.span.end else AlertState.FIRING,
        started_at=change.span.start,
        event_at=change.event_at,
        ended_at=change.span.end,
        labels=history.labels,
        annotations=history.annotations,
        is_drill=is_drill(history.labels, sources[history.source_id]),
        fired=True,
        label_map=batch.brain.label_map(history.source_id),
    )


def is_drill(labels: Mapping[str, str], source: Source) -> bool:
    return source.is_drill or labels.get("drill", "").lower() == "true"


def _write_alerts(batch: Batch, working: WorkingSet) -> None:
    """A resolve of something unknown has no episode, but is classified all the same."""
    places = alert_rows.placed(batch.spans, batch.members, working)
    for history in batch.histories.values():
        if history.id not in places and not history.marks.spans:
            fact = _fact_of_resolve(batch, history)
            places[history.id or 0] = alert_rows.Placed(fact, None, fact.signal.role)
    owners = {
        heard.source.pk: alert_rows.Owner(
            region=heard.source.region,
            audience_id=heard.source.audience_id,
            is_drill=heard.source.is_drill,
        )
        for heard in batch.heard
    }
    alert_rows.write(batch.histories.values(), places, batch.stored, owners)


def _fact_of_resolve(batch: Batch, history: History) -> Fact:
    source = next(h.source for h in batch.heard if h.source.pk == history.source_id)
    return batch.brain.reader.read(
        episode=0,
        source=history.source_id,
        name=history.name,
        severity=history.severity,
        state=AlertState.RESOLVED,
        started_at=history.starts_at,
        event_at=history.event_at,
        ended_at=history.ends_at,
        labels=history.labels,
        annotations=history.annotations,
        is_drill=is_drill(history.labels, source),
        fired=False,
        label_map=batch.brain.label_map(history.source_id),
    )


def _truncated(batch: Batch, working: WorkingSet) -> list[groups.Truncated]:
    """What senders cut, each with the episodes of the same body."""
    episodes: dict[tuple[int, str], int] = {
        (change.history.source_id, change.history.fingerprint): member.id
        for change, member in zip(batch.spans, batch.members, strict=True)
    }
    return [
        groups.Truncated(
            key=f"{heard.source.pk}:{heard.reading.truncated_key}",
            count=heard.reading.truncated,
            episodes=_of(batch.by_receipt.get(number, ()), episodes),
        )
        for number, heard in enumerate(batch.heard)
        if heard.reading.truncated
    ]


def _of(keys: Iterable[tuple[int, str]], episodes: dict[tuple[int, str], int]) -> list[int]:
    return [episodes[key] for key in keys if key in episodes]
