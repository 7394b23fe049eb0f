"""What time alone changes: groups fall quiet, alerts go stale, flapping calms down."""

from datetime import datetime, timedelta

from django.db import transaction

from alerts.models import AlertGroup
from alerts.operations import partitions, sql
from alerts.operations.groups import QUIET_AFTER
from alerts.states import FLAPPING_WINDOW, GroupState
from core.operations import events, live

EVERY = timedelta(seconds=30)
# Each worker process looks every 30 s; the statements claim what they change.
_last: dict[str, datetime] = {}

STALE = """
    UPDATE alerts a SET state = 'stale'
    WHERE a.id = ANY(ARRAY(
        SELECT f.id FROM alerts f JOIN alerts_source fs ON fs.id = f.source_id
        WHERE f.state = 'firing' AND f.last_seen_at < %s - fs.stale_after_hours * interval '1 hour'
        LIMIT 5000 FOR NO KEY UPDATE OF f SKIP LOCKED))
    RETURNING a.id
"""
CALM = """
    UPDATE alerts SET flapping = false
    WHERE id = ANY(ARRAY(SELECT id FROM alerts WHERE flapping AND last_change_at < %s
                         LIMIT 5000 FOR NO KEY UPDATE SKIP LOCKED))
    RETURNING id
"""
QUIET = """
    SELECT g.id FROM alerts_alertgroup g
    WHERE g.state = 'open' AND g.last_event_at < %s AND g.last_seen_at < %s
      AND NOT EXISTS (
        SELECT FROM alert_episodes e JOIN alerts a ON a.id = e.alert_id
        WHERE e.group_id = g.id AND e.ends_at IS NULL AND a.state = 'firing')
      AND NOT EXISTS (
        SELECT FROM alert_episodes e WHERE e.group_id = g.id AND e.ends_at >= %s)
    FOR NO KEY UPDATE OF g SKIP LOCKED
"""


def keep_up(*, at: datetime) -> int:
    """Twice a minute: everything below, and partitions ahead."""
    if "keep_up" in _last and timedelta(0) <= at - _last["keep_up"] < EVERY:
        return 0
    _last["keep_up"] = at
    if partitions.ahead() < partitions.WEEKS_AHEAD:
        partitions.make_weeks()
    return quiet_groups(at=at) + stale_alerts(at=at) + calm_alerts(at=at)


@transaction.atomic
def quiet_groups(*, at: datetime) -> int:
    """Nothing of the group fired for 30 minutes. Quiet is not closed: a later alert wakes it."""
    since = at - QUIET_AFTER
    ids = [pk for (pk,) in sql.run(QUIET, since, since, since)]
    AlertGroup.objects.filter(pk__in=ids).update(state=GroupState.QUIET, quiet_at=at)
    if ids:
        told: list[dict[str, int | str]] = [{"group_id": pk} for pk in ids]
        events.publish_many(kind="alert_group_changed", ids=told)
        live.announce("alerts", "board")
    return len(ids)


@transaction.atomic
def stale_alerts(*, at: datetime) -> int:
    """Silence is not recovery: an alert without news is stale, and only news changes that."""
    changed = len(sql.run(STALE, at))
    if changed:
        live.announce("alerts")
    return changed


@transaction.atomic
def calm_alerts(*, at: datetime) -> int:
    """An hour without a change ends flapping, not the alert."""
    changed = len(sql.run(CALM, at - FLAPPING_WINDOW))
    if changed:
        live.announce("alerts")
    return changed
