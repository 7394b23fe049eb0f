"""The one order of locks: alert group, incident, clock, participant, delivery (I6)."""

from django.utils.translation import gettext

from alerts.models import AlertGroup
from core.errors import NotFound
from people.models import User
from people.queries import visible
from warroom.models import Incident


def incident(number: int, by: User | None = None) -> Incident:
    """
    The incident, locked until the transaction ends.

    :raises NotFound: if there is none that `by` may see.
    """
    rows = Incident.objects.filter(number=number)
    found = (visible(rows, by) if by else rows).values_list("number", flat=True).first()
    if found is None:
        raise NotFound(gettext("There is no incident %(number)s here.") % {"number": number})
    return Incident.objects.lock(found)


def with_group(number: int, by: User | None = None) -> Incident:
    """The incident with its alert group locked before it, for what also changes the group."""
    group_id = Incident.objects.filter(number=number).values_list("group_id", flat=True).first()
    if group_id:
        AlertGroup.objects.select_for_update(no_key=True).filter(pk=group_id).first()
    return incident(number, by)
