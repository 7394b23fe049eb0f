"""Incidents as people find them: one, a list with filters, those of a job."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast
from django.utils.translation import gettext

from core.errors import NotFound
from people.models import User
from people.queries import visible
from warroom.models import AffectedJob, Incident
from warroom.states import HELD, IncidentState


def incident(number: int, user: User | None = None) -> Incident:
    """:raises NotFound: if there is no such incident, or `user` may not see it."""
    rows = Incident.objects.with_everything().filter(number=number)
    found = (visible(rows, user) if user else rows).first()
    if found is None:
        raise NotFound(gettext("There is no incident %(number)s here.") % {"number": number})
    return found


def open_incidents_of_job(job_id: str) -> list[Incident]:
    """Incidents with a room that hold this job up, the earliest first."""
    jobs = AffectedJob.objects.filter(job_id=job_id, dropped_at=None)
    rows = Incident.objects.filter(state__in=HELD, number__in=jobs.values("incident"))
    return list(rows.order_by("opened_at", "number"))


def incident_list(user: User, filters: Mapping[str, Any] | None = None) -> QuerySet[Incident]:
    """
    What `user` may see, the newest first. Merged incidents only where `state` asks for them.

    Filters: state (one or several), tier, failure_class, component (a path and below), job,
    search, since, until, is_drill, mine, open.
    """
    rows = visible(Incident.objects.with_everything(), user)
    return filtered(rows, filters or {}, user).order_by("-opened_at", "-number")


def filtered(
    rows: QuerySet[Incident], filters: Mapping[str, Any], user: User
) -> QuerySet[Incident]:
    given = {name: value for name, value in filters.items() if value not in (None, "", [])}
    for name, value in given.items():
        if name in EXACT:
            rows = rows.filter(**{EXACT[name]: value})
    if "state" in given:
        states = given["state"]
        rows = rows.filter(state__in=[states] if isinstance(states, str) else states)
    else:
        rows = rows.exclude(state=IncidentState.MERGED)
    if "open" in given:
        open_ones = Q(state__in=[IncidentState.PROPOSED, *HELD])
        rows = rows.filter(open_ones if given["open"] else ~open_ones)
    if "component" in given:
        path = given["component"]
        below = Q(root__path=path) | Q(root__path__startswith=f"{path}/")
        rows = rows.filter(below | Q(root__paths__contains=[path]))
    if "job" in given:
        jobs = AffectedJob.objects.filter(job_id=given["job"], dropped_at=None)
        rows = rows.filter(number__in=jobs.values("incident"))
    if "search" in given:
        rows = _search(rows, str(given["search"]))
    return rows.filter(_mine(user)) if given.get("mine") else rows


EXACT = {
    "tier": "tier",
    "failure_class": "failure_class",
    "since": "opened_at__gte",
    "until": "opened_at__lt",
    "is_drill": "is_drill",
}


def _search(rows: QuerySet[Incident], text: str) -> QuerySet[Incident]:
    """In the title in both languages, in the root, in the jobs, or by number (2041, INC-2041)."""
    text = text.strip().replace("\x00", "")
    number = text.upper().removeprefix("INC-")
    rows = rows.annotate(words=Cast("title_params", TextField()), place=Cast("root", TextField()))
    found = Q(title__icontains=text) | Q(words__icontains=text) | Q(place__icontains=text)
    if number.isdecimal() and len(number) < 18:  # a bigint's digits
        found |= Q(number=int(number))
    return rows.filter(found)


def _mine(user: User) -> Q:
    held = Q(owner=user) | Q(commander=user) | Q(recovery_owner=user)
    return held | Q(number__in=user.rooms.values("incident"))
