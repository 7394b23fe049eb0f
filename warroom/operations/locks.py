"""The one order of locks: alert group, incident, clock, participant, delivery (I6)."""

from datetime import datetime

from django.utils.translation import gettext

from alerts.models import AlertGroup
from core.errors import NotFound
from people.models import User
from people.queries import visible
from warroom.models import ClockStep, Incident
from warroom.operations import clocks


def incident(number: int, *, at: datetime, by: User | None = None, group: bool = False) -> Incident:
    """
    The incident, locked until the transaction ends, with its steps that are due by `at` taken.

    `group` locks its alert group before it, for operations that also change the group.

    :raises NotFound: if there is none that `by` may see.
    """
    rows = Incident.objects.filter(number=number)
    found = (visible(rows, by) if by else rows).values("number", "group_id").first()
    if found is None:
        raise NotFound(gettext("There is no incident %(number)s here.") % {"number": number})
    if group and found["group_id"]:
        AlertGroup.objects.select_for_update(no_key=True).filter(pk=found["group_id"]).first()
    locked = Incident.objects.lock(number)
    if ClockStep.objects.due(at).filter(incident=number).exists():
        clocks.fire([number], at)
        locked.refresh_from_db()
    return locked
