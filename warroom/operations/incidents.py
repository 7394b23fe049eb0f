"""From alert groups and from people to incidents: record, propose, open, grow, merge."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext

from alerts.models import AlertGroup
from alerts.operations import groups
from core.errors import Invalid
from core.operations import events
from fleet.models import AssuredWindow, Component, FailureClass, Job
from people.models import User
from warroom.models import Incident
from warroom.operations import growth, locks, merging, opening, rules, timeline
from warroom.queries import policies
from warroom.states import OPEN, Action, IncidentState, target_of

COPIED = ("failure_class", "subtype", "event_class", "root", "affected", "impact", "facts")
COUNTED = ("alert_count", "received_count", "truncated_count")


@transaction.atomic
def follow_group(*, group_id: int, at: datetime) -> Incident | None:
    """
    Make of an alert group what the rules say: nothing, a proposal, an incident, or a grown one.

    Idempotent: the group's row is locked first, so that two events about it come one by one.
    """
    group = AlertGroup.objects.select_for_update(no_key=True).filter(pk=group_id).first()
    if group is None:
        return None
    if group.merged_into_id:
        return merging.follow_merged_group(group, at=at)
    known = Incident.objects.filter(group_id=group.pk).newest_first().first()
    if known is None and group.incident_number:
        known = Incident.objects.filter(number=group.incident_number).first()
    if known is None:
        return _begin(group, at)
    if known.state not in OPEN:
        return known
    incident = locks.incident(known.number, at=at)
    return growth.follow(incident, group, _verdict(group, at), at=at)


def _verdict(group: AlertGroup, at: datetime) -> rules.Verdict:
    named = [*group.affected.get("jobs", []), *(group.impact.get("jobs") or [])]
    assured = AssuredWindow.objects.covering(at).filter(job__job_id__in=named).exists()
    return rules.verdict(
        facts={**group.facts, "assured": assured},
        classified=bool(group.failure_class),
        rules=policies.current("rules"),
    )


def _begin(group: AlertGroup, at: datetime) -> Incident | None:
    verdict = _verdict(group, at)
    if verdict.outcome == "record":
        return None
    incident = Incident(
        group_id=group.pk,
        tier=verdict.tier,
        tier_reason=verdict.tier_because,
        opened_because=verdict.because,
        occurred_at=group.first_event_at,
        occurred_at_original=group.first_event_at,
        detected_at=group.first_seen_at,
        opened_at=at,
        is_drill=group.is_drill,
        region=group.region,
        audience=group.audience,
        layer=growth.layer_of(group.root),
        **{name: getattr(group, name) for name in (*COPIED, *COUNTED)},
    )
    opening.retitle(incident)
    if verdict.outcome == "propose":
        _propose(incident, at)
    else:
        opening.convene(incident, at=at)
    groups.attach_incident(group_id=group.pk, number=incident.number, open=True, at=at)
    return incident


def _propose(incident: Incident, at: datetime) -> None:
    incident.state = IncidentState.PROPOSED
    incident.policy = opening.snapshot()
    incident.save(force_insert=True)
    opening.follow_jobs(incident, at=at)
    timeline.record(
        incident=incident,
        kind="proposed",
        at=at,
        because=incident.opened_because,
        root=incident.root,
    )
    events.publish(kind="incident_changed", number=incident.number)


@transaction.atomic
def declare(*, data: Mapping[str, Any], by: User, at: datetime) -> Incident:
    """
    A person reports what burns; they become its first responder and owner.

    `data`: title, and by choice impact (a kind of impact, or words), tier, failure_class,
    component (a path), job_id, is_drill.

    :raises Invalid: with a sentence for each field that cannot be used.
    """
    component, job = _named(data, by)
    incident = Incident(
        title=str(data["title"]).strip()[:300],
        tier=int(data.get("tier") or 3),
        tier_reason={"slug": "declared"},
        opened_because={"slug": "declared"},
        failure_class=data.get("failure_class") or None,
        root=growth.root_of(component) if component else {"level": "unknown", "path": ""},
        affected={"jobs": [job.job_id] if job else [], "nodes": 0, "cards": 0, "supernodes": 0},
        impact={"type": str(data.get("impact") or ""), "jobs": [job.job_id] if job else []},
        detected_at=at,
        opened_at=at,
        is_drill=bool(data.get("is_drill")),
        region=_region(component, job),
        layer=growth.layer_of(growth.root_of(component)) if component else "",
    )
    opening.convene(incident, at=at, by=by)
    return incident


def _region(component: Component | None, job: Job | None) -> str:
    return component.region if component else (job.region if job else "")


def _named(data: Mapping[str, Any], by: User) -> tuple[Component | None, Job | None]:
    wrong: dict[str, list[str]] = {}
    components = Component.objects.visible_in(by.regions)
    component = components.filter(path=data.get("component") or "").first()
    job = Job.objects.visible_in(by.regions).filter(job_id=data.get("job_id") or "").first()
    if not str(data.get("title") or "").strip():
        wrong["title"] = [gettext("Say in a few words what is wrong.")]
    if data.get("component") and component is None:
        wrong["component"] = [gettext("There is no component with this path.")]
    if data.get("job_id") and job is None:
        wrong["job_id"] = [gettext("There is no job with this id.")]
    code = data.get("failure_class")
    if code and not FailureClass.objects.filter(pk=code).exists():
        wrong["failure_class"] = [unknown_class()]
    if data.get("tier") not in (None, "", 2, 3, "2", "3"):
        wrong["tier"] = [gettext("Tiers are 2 and 3; tier 1 is switched off on this site.")]
    if wrong:
        raise Invalid(fields=wrong)
    return component, job


def unknown_class() -> str:
    codes = ", ".join(FailureClass.objects.order_by("pk").values_list("pk", flat=True))
    return gettext("Choose one of: %(codes)s.") % {"codes": codes}


def promote(*, incident: Incident, by: User, at: datetime) -> None:
    """A proposed incident is one: room, clocks and call begin now."""
    incident.state = target_of(IncidentState(incident.state), Action.PROMOTE)
    opening.convene(incident, at=at, by=by)
    if incident.group_id:
        groups.attach_incident(group_id=incident.group_id, number=incident.number, open=True, at=at)


def reject(*, incident: Incident, reason: str, by: User, at: datetime) -> None:
    incident.state = target_of(IncidentState(incident.state), Action.REJECT)
    incident.closed_at, incident.close_reason = at, reason
    incident.save(update_fields=["state", "closed_at", "close_reason"])
    timeline.record(incident=incident, kind="rejected", at=at, actor=by, text=reason)
    if incident.group_id:
        groups.close(group_id=incident.group_id, at=at)
    events.publish(kind="incident_closed", number=incident.number)
