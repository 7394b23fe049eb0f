"""What this app does about other apps' events, and what it puts into the registries."""

from typing import Any

from django.utils import timezone

from core import registry
from core.registry import on_event
from warroom.operations import clocks, incidents
from warroom.queries import registered


@on_event("alert_group_changed")
def open_or_grow_incident(*, group_id: int, **_unknown: Any) -> None:
    """Idempotent: an event may come twice."""
    incidents.follow_group(group_id=group_id, at=timezone.now())


registry.sweeps.add("20-clocks", clocks.fire_due)
registry.waits_for.add("10-warroom", registered.waits_for)
registry.involvements.add("warroom", registered.involvements)
registry.metrics.add("warroom", registered.metrics)
registry.readiness.add("clocks", registered.ready)
registry.integrity.add("warroom", registered.integrity)
registry.live_guards.add("warroom", registered.may_hear)
