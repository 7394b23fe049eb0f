"""What this app puts into the registries, and what it does about events."""

from typing import Any

import structlog
from django.utils.translation import gettext_lazy as _
from kombu.exceptions import OperationalError

from core import registry
from core.registry import MenuEntry, Panel, on_event
from notifications import queries, tasks

log = structlog.get_logger(__name__)

registry.menu.add(
    "inbox",
    MenuEntry(
        label=_("Inbox"),
        url_name="notifications:inbox",
        icon="bell",
        order=200,
        badge=queries.unread,
    ),
)
registry.settings_pages.add(
    "channels",
    MenuEntry(label=_("Channels"), url_name="notifications:channels", icon="send", order=20),
)
registry.room_panels.add(
    "deliveries",
    Panel(
        url_name="notifications:incident-panel",
        order=90,
        title=_("Who was told"),
        column="left",
    ),
)
registry.sweeps.add("60-deliveries", tasks.start_senders)
registry.metrics.add("notifications", queries.metrics)
registry.integrity.add("notifications", queries.lost_deliveries)


@on_event("deliveries_queued")
def nudge_the_sender(**unknown: Any) -> None:
    try:
        tasks.deliver.delay()
    except OperationalError:
        log.debug("broker away, the sweep will send")
