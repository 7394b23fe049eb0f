"""Reads for the list and the reader of postmortems."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext

from core.registry import Waiting
from people.models import User
from people.queries import visible
from postmortems.models import Postmortem
from postmortems.queries import wording
from warroom.models import Clock, Incident

DUE_SOON = timedelta(days=7)
STAGES = (
    "occurred_at",
    "detected_at",
    "acknowledged_at",
    "assembled_at",
    "located_at",
    "restored_at",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    key: str
    title: str
    sentences: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Instant:
    """One stamp of the incident, and how long it took from the one before that is known."""

    key: str
    at: datetime | None
    since_last: timedelta | None


def listed(user: User) -> QuerySet[Postmortem]:
    return visible(Postmortem.objects.newest_first(), user)


def sections(postmortem: Postmortem) -> list[Section]:
    return [
        Section(
            key=one["key"],
            title=str(wording.TITLES[one["key"]]),
            sentences=[wording.sentence(block) for block in one["blocks"]],
        )
        for one in postmortem.sections
    ]


def instants(incident: Incident) -> list[Instant]:
    """In order; an instant that is earlier than the one before (a corrected clock) shows no span."""
    found: list[Instant] = []
    last: datetime | None = None
    for key in STAGES:
        at = getattr(incident, key)
        span = at - last if at and last and at >= last else None
        found.append(Instant(key=key, at=at, since_last=span))
        last = at or last
    return found


def clocks(incident: Incident) -> list[Clock]:
    return list(
        Clock.objects.filter(incident=incident, kind__in=["assemble", "restore"]).order_by("kind")
    )


def waiting(user: User, at: datetime) -> list[Waiting]:
    """Drafts of incidents that this person commanded or answered for, until they are published."""
    mine = (
        Postmortem.objects.unfinished()
        .select_related("incident")
        .filter(incident__commander=user)
        .order_by("due_at")[:10]
    )
    return [_waiting(one) for one in mine]


def _waiting(one: Postmortem) -> Waiting:
    text = gettext("Postmortem of %(incident)s to review") % {"incident": one.incident}
    return Waiting(
        text=text, url=f"/postmortems/{one.pk}/", since=one.drafted_at, due_at=one.due_at
    )


def as_json(postmortem: Postmortem) -> list[dict[str, Any]]:
    """The sections for the API: codes for programs, sentences in the caller's language."""
    return [
        {"key": section.key, "title": section.title, "sentences": section.sentences}
        for section in sections(postmortem)
    ]
