"""What the fleet puts into the registries."""

from datetime import datetime

from django.utils.translation import gettext_lazy as _

from core import registry
from core.registry import MenuEntry, Panel
from fleet.operations import demo, reference


def load_reference(at: datetime) -> str:
    tables = reference.load(at=at)
    return f"reference: {len(tables)} tables"


registry.site_loaders.add("10-reference", load_reference)
registry.demo_loaders.add("10-fleet", demo.load)
registry.menu.add(
    "fleet",
    MenuEntry(label=_("Fleet"), url_name="fleet:map", icon="server-2", order=50, prefix="/fleet/"),
)
registry.board_panels.add(
    "fleet",
    Panel(url_name="fleet:board-panel", order=40, title=_("Fleet"), column="main", topic="fleet"),
)
