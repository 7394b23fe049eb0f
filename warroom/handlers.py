"""What this app does about other apps' events, and what it puts into the registries."""

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core import registry
from core.registry import MenuEntry, on_event
from warroom.operations import clocks, incidents
from warroom.queries import registered, rooms


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
registry.menu.add(
    "board",
    MenuEntry(label=_("Board"), url_name="warroom:board", icon="layout-dashboard", order=10),
)
registry.menu.add(
    "incidents",
    MenuEntry(
        label=_("Incidents"),
        url_name="warroom:incidents",
        icon="flame",
        order=20,
        badge=rooms.open_count,
    ),
)
