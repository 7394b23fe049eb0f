"""What this app does about other apps' events, and what it puts into the registries."""

from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core import registry
from core.registry import MenuEntry, Panel, on_event
from sops import queries
from sops.operations import overruns, procedures, runs
from sops.queries.texts import TEXTS


@on_event("incident_opened")
@on_event("incident_changed")
@on_event("incident_reclassified")
@on_event("incident_merged")
@on_event("incident_closed")
@on_event("room_opened")
@on_event("room_stood_down")
def follow_incident(*, number: int, **unknown: Any) -> None:
    """The state of the incident decides, not the event: so it may come twice, or late."""
    runs.follow(number=number, at=timezone.now())


def load_procedures(at: datetime) -> str:
    return f"procedures: {len(procedures.load_shipped(at=at))} published"


registry.site_loaders.add("15-procedures", load_procedures)
registry.sweeps.add("sops", overruns.say_due)
registry.integrity.add("sops", queries.missing_procedures)
for kind, text in TEXTS.items():
    registry.timeline_texts.add(str(kind), text)
registry.menu.add(
    "sops",
    MenuEntry(
        label=_("SOPs"), url_name="sops:library", icon="ti-list-check", order=40, prefix="/sops/"
    ),
)
registry.room_panels.add(
    "sop", Panel(url_name="sops:panel", order=10, title=_("SOP"), column="right")
)
