"""What this app adds to the named lists of core: sweeps, health, menu, panels, demo."""

from datetime import datetime

from django.utils.translation import gettext_lazy as _

from alerts import tasks
from alerts.operations import rules, upkeep
from alerts.queries import health
from alerts.queries.receipts import overdue, waiting_failures
from core import registry
from core.registry import MenuEntry, Panel


def parse_forgotten(*, at: datetime) -> int:
    """Receipts whose nudge was lost: found within two seconds, parsed beside the sweep."""
    return tasks.drain(at=at) if overdue(at=at) else 0


def load_rules(at: datetime) -> str:
    return f"alerts: {rules.load_shipped()} classification rules"


registry.sweeps.add("alerts_parse", parse_forgotten)
registry.sweeps.add("alerts_upkeep", upkeep.keep_up)
registry.readiness.add("receipt_partitions", health.ready)
registry.metrics.add("alerts", health.metrics)
registry.integrity.add("alerts", health.check_integrity)
registry.site_loaders.add("40-alert-rules", load_rules)
registry.menu.add(
    "alerts",
    MenuEntry(
        label=_("Alerts"),
        url_name="alerts:alerts",
        icon="bell-ringing",
        order=30,
        prefix="/alert",
    ),
)
registry.settings_pages.add(
    "receipts",
    MenuEntry(
        label=_("Receipts"),
        url_name="alerts:receipts",
        icon="inbox",
        order=10,
        prefix="/receipts/",
        badge=waiting_failures,
    ),
)
registry.settings_pages.add(
    "sources",
    MenuEntry(
        label=_("Alert sources"),
        url_name="alerts:sources",
        icon="plug-connected",
        order=20,
        prefix="/settings/sources/",
    ),
)
registry.board_panels.add(
    "alerts_last_hour",
    Panel(
        url_name="alerts:last-hour",
        order=30,
        title=_("Alerts, last hour"),
        column="side",
        topic="alerts",
    ),
)
