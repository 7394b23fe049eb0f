"""What later evidence changes in an open incident. What a person confirmed stays."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from alerts.models import AlertGroup
from alerts.operations import groups
from core.operations import events
from fleet.models import Component
from warroom.models import Incident
from warroom.operations import calls, muster, opening, presence, rules, timeline
from warroom.operations.muster import Muster
from warroom.states import Action, IncidentState, target_of

COUNTED = ("alert_count", "received_count", "truncated_count")
MEASURED = ("affected", "impact", "facts")
LAYERS = {
    "card": "hardware",
    "node": "hardware",
    "nodes": "hardware",
    "supernode": "hardware",
    "link": "network",
    "switch": "network",
    "plane": "network",
    "line": "network",
    "service": "service",
    "facility": "facility",
    "job": "job",
    "region": "platform",
    "monitoring": "platform",
}


def follow(
    incident: Incident, group: AlertGroup, verdict: rules.Verdict, *, at: datetime
) -> Incident:
    """
    Take over counts and scope; class and root while nobody confirmed them; raise the tier.

    The tier is never lowered here, and no clock starts again.
    """
    before = _picture(incident)
    for name in (*COUNTED, *MEASURED):
        setattr(incident, name, getattr(group, name))
    if not incident.occurred_confirmed:
        incident.occurred_at = incident.occurred_at_original = group.first_event_at
    reclassified = _take_findings(incident, group)
    opening.retitle(incident)
    if incident.state == IncidentState.PROPOSED:
        _follow_proposal(incident, verdict, at)
        if incident.state != IncidentState.PROPOSED:
            groups.attach_incident(group_id=group.pk, number=incident.number, open=True, at=at)
        return incident
    gathering = muster.load([incident], at)
    if reclassified:
        _tell_of_change(gathering, incident, before, at)
    _call_again(gathering, incident, verdict, at)
    if _picture(incident) == before:
        return incident
    incident.save()
    opening.follow_jobs(incident, at=at)
    muster.write(gathering)
    presence.check(incident, at=at)
    timeline.announce(incident.number)
    _publish(incident, before)
    return incident


def _picture(incident: Incident) -> dict[str, Any]:
    names = (*COUNTED, *MEASURED, "failure_class", "subtype", "event_class", "root", "tier")
    return {n: getattr(incident, n) for n in (*names, "domains_called", "occurred_at")}


def _take_findings(incident: Incident, group: AlertGroup) -> bool:
    """Class and root as the engine sees them now; whether a reader would notice."""
    old = (incident.failure_class, incident.root.get("level"), place(incident.root))
    if incident.class_confirmed_by_id is None:
        incident.failure_class, incident.subtype = group.failure_class, group.subtype
        incident.event_class = group.event_class
    if incident.root_confirmed_by_id is None:
        incident.root, incident.layer = group.root, layer_of(group.root)
    return old != (incident.failure_class, incident.root.get("level"), place(incident.root))


def _tell_of_change(
    gathering: Muster, incident: Incident, before: Mapping[str, Any], at: datetime
) -> None:
    if incident.failure_class != before["failure_class"]:
        gathering.write_down(
            incident,
            "class_changed",
            at,
            before=before["failure_class"],
            after=incident.failure_class,
        )
    if place(incident.root) != place(before["root"]) or incident.root.get("level") != before[
        "root"
    ].get("level"):
        gathering.write_down(
            incident, "root_changed", at, before=before["root"], after=incident.root
        )


def _call_again(
    gathering: Muster, incident: Incident, verdict: rules.Verdict, at: datetime
) -> None:
    if not incident.live:
        return
    if verdict.tier < incident.tier:
        calls.raise_tier(
            gathering, incident, tier=verdict.tier, at=at, because=verdict.tier_because
        )
    else:
        calls.recall(gathering, incident, at=at)


def _follow_proposal(incident: Incident, verdict: rules.Verdict, at: datetime) -> None:
    incident.tier = min(incident.tier, verdict.tier)
    incident.tier_reason = verdict.tier_because
    if verdict.outcome != "open":
        incident.save()
        opening.follow_jobs(incident, at=at)
        timeline.announce(incident.number)
        return
    incident.opened_because = verdict.because
    incident.state = target_of(IncidentState(incident.state), Action.PROMOTE)
    opening.convene(incident, at=at)


def _publish(incident: Incident, before: Mapping[str, Any]) -> None:
    events.publish(kind="incident_changed", number=incident.number)
    if incident.failure_class != before["failure_class"]:
        events.publish(kind="incident_reclassified", number=incident.number)
    if incident.tier < before["tier"]:
        events.publish(kind="incident_escalated", number=incident.number)


def place(root: Mapping[str, Any]) -> tuple[str, ...]:
    """Where a root is, without reasons, so that new evidence alone is no change."""
    return (str(root.get("path") or ""), *sorted(str(p) for p in root.get("paths") or []))


def layer_of(root: Mapping[str, Any]) -> str:
    return LAYERS.get(str(root.get("level") or ""), "")


def root_of(component: Component) -> dict[str, Any]:
    """A root that a person names: no cause yet, and no doubt about the place."""
    return {
        "level": component.kind,
        "path": component.path,
        "paths": list(component.attributes.get("ends") or []),
        "cause": "",
        "confidence": 1.0,
        "evidence_for": [],
        "evidence_against": [],
    }
