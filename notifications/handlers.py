"""What this app puts into the registries, and what it does about events."""

from typing import Any

import structlog
from kombu.exceptions import OperationalError

from core import registry
from core.registry import on_event
from notifications import queries, tasks

log = structlog.get_logger(__name__)

registry.sweeps.add("60-deliveries", tasks.start_senders)
registry.metrics.add("notifications", queries.metrics)
registry.integrity.add("notifications", queries.lost_deliveries)


@on_event("deliveries_queued")
def nudge_the_sender(**unknown: Any) -> None:
    try:
        tasks.deliver.delay()
    except OperationalError:
        log.debug("broker away, the sweep will send")
