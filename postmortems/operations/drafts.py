"""The draft: written when the room stands down, from what is stored."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.db import transaction

from core.operations import live
from core.queries import site
from postmortems.models import Postmortem
from postmortems.queries import drafting
from warroom.models import Incident
from warroom.operations import timeline

TIER_2_DAYS = 3
TIER_3_WORKING_DAYS = 5
SATURDAY = 5


@transaction.atomic
def draft(*, number: int, at: datetime) -> Postmortem:
    """
    Write the draft of an incident, or give back the one that is there.

    Told twice, or after a reopening, it keeps the first draft: people may have worked on it.
    """
    incident = Incident.objects.lock(number)
    there = Postmortem.objects.filter(incident=incident).first()
    if there:
        return there
    postmortem = Postmortem.objects.create(
        incident=incident,
        sections=drafting.sections(drafting.facts(incident)),
        drafted_at=at,
        due_at=due(tier=incident.tier, at=at, zone=site().zone),
        tier=incident.tier,
        failure_class=incident.failure_class or "",
        is_drill=incident.is_drill,
        region=incident.region,
        audience=incident.audience,
    )
    timeline.record(
        incident=incident, kind="postmortem_drafted", at=at, postmortem_id=postmortem.pk
    )
    live.announce("postmortems")
    return postmortem


def due(*, tier: int, at: datetime, zone: ZoneInfo) -> datetime:
    """
    When the review is due: 3 days after a tier 2, 5 working days after a tier 3 (design.md 4).

    Working days are Monday to Friday of the site's zone; holidays are not known here.
    """
    local = at.astimezone(zone)
    if tier <= 2:
        return local + timedelta(days=TIER_2_DAYS)
    left = TIER_3_WORKING_DAYS
    while left:
        local += timedelta(days=1)
        left -= local.weekday() < SATURDAY
    return local
