"""What this app does about other apps' events. Idempotent: an event may come twice."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core import registry
from core.registry import MenuEntry, Waiting
from people.models import User
from postmortems.operations import demo, drafts
from postmortems.queries import readers


@registry.on_event("room_stood_down")
def draft_when_the_room_stands_down(*, number: int, **unknown: Any) -> None:
    drafts.draft(number=number, at=timezone.now())


def drafted_text(params: Mapping[str, Any]) -> str:
    return gettext("A draft of the postmortem is there: PM-%(postmortem_id)s.") % params


def waiting(user: User, at: datetime) -> list[Waiting]:
    return readers.waiting(user, at)


registry.timeline_texts.add("postmortem_drafted", drafted_text)
registry.waits_for.add("postmortems", waiting)
registry.menu.add(
    "postmortems",
    MenuEntry(
        label=_("Postmortems"),
        url_name="postmortems:list",
        icon="report-search",
        order=60,
        prefix="/postmortems/",
    ),
)
registry.demo_loaders.add("70-postmortems", demo.load)
