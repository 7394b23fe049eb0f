"""What this app reads and hears. Idempotent: a body and an event may come twice."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core import registry
from core.registry import MenuEntry, Panel, ReceiptOutcome
from recovery.adapters import controller
from recovery.operations import demo, reports


def read_receipt(body: object, *, source_id: int, receipt_id: UUID, at: datetime) -> ReceiptOutcome:
    """The parser of `/hooks/recovery/<key>`."""
    usable, wrong = controller.parse(body, received_at=at)
    numbers = reports.record(reports=usable, at=at) if usable else []
    state = "failed" if not usable and wrong else "partly_parsed" if wrong else "parsed"
    return ReceiptOutcome(state=state, reason="; ".join(wrong)[:2000], incidents=numbers)


@registry.on_event("incident_opened")
def join_recoveries(*, number: int, **unknown: Any) -> None:
    reports.join_incident(number=number, at=timezone.now())


def started_text(params: Mapping[str, Any]) -> str:
    return gettext("The job controller restarts %(job_id)s.") % params


def first_step_text(params: Mapping[str, Any]) -> str:
    minutes = (params.get("seconds") or 0) / 60
    text = gettext("%(job_id)s made its first step, %(minutes).1f min after the fault.") % {
        "job_id": params["job_id"],
        "minutes": minutes,
    }
    if params.get("lost_steps") is None:
        return text
    return text + " " + gettext("%(lost_steps)s steps lost.") % params


def failed_text(params: Mapping[str, Any]) -> str:
    return gettext("The restart of %(job_id)s failed: %(reason)s") % params


registry.receipt_parsers.add("recovery", read_receipt)
registry.timeline_texts.add("recovery_started", started_text)
registry.timeline_texts.add("recovery_first_step", first_step_text)
registry.timeline_texts.add("recovery_failed", failed_text)
registry.menu.add(
    "recovery",
    MenuEntry(
        label=_("Recovery"),
        url_name="recovery:latest",
        icon="refresh",
        order=70,
        prefix="/recovery/",
    ),
)
registry.board_tiles.add(
    "recovery",
    Panel(url_name="recovery:tile", order=30, title=_("Recovery today, median"), topic="recovery"),
)
registry.demo_loaders.add("60-history", demo.load)
