"""Postmortems of the demo's month: those that were due by now are published, the others drafts."""

from datetime import datetime

from django.db import transaction

from postmortems.models import Postmortem
from postmortems.operations import drafts
from postmortems.states import PostmortemState
from warroom.models import Incident

LATEST = 40  # of the imported incidents: a list that fills a page, loaded in a second


@transaction.atomic
def load(at: datetime) -> str:
    """Draft the latest imported incidents as of their end; a second time changes nothing."""
    done = Postmortem.objects.filter(incident__imported=True).count()
    if done:
        return "postmortems: there already"
    closed = Incident.objects.filter(imported=True, is_drill=False, closed_at__isnull=False)
    for incident in closed.order_by("-closed_at", "-number")[:LATEST]:
        drafts.draft(number=incident.number, at=incident.closed_at or at)
    past = Postmortem.objects.filter(incident__imported=True, due_at__lt=at)
    past.update(state=PostmortemState.PUBLISHED)
    return f"postmortems: {Postmortem.objects.count()}"
