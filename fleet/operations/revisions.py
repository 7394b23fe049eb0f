"""The number by which readers know that their copy of the fleet is old."""

from django.db.models import F

from fleet.models import Revision


def grow() -> None:
    if not Revision.objects.update(number=F("number") + 1):
        Revision.objects.get_or_create(only=True)
