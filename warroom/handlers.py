"""What this app does about other apps' events. Idempotent: an event may come twice."""

from typing import Any

from django.utils import timezone

from core import registry
from core.registry import on_event
from warroom.operations import clocks, incidents


@on_event("alert_group_changed")
def open_or_grow_incident(*, group_id: int, **_unknown: Any) -> None:
    incidents.follow_group(group_id=group_id, at=timezone.now())


registry.sweeps.add("20-clocks", clocks.fire_due)
