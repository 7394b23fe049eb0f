"""What people are told about an incident: a slug and its values, in both languages where it has words."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.utils import translation

from notifications.operations.deliveries import Message
from warroom.models import Incident
from warroom.states.titles import root_name

LANGUAGES = {"en": "en", "zh": "zh-hans"}


def minutes(incident: Incident, count: float) -> timedelta:
    """`count` minutes of the incident's policy: shorter where the site's clocks are scaled."""
    return timedelta(minutes=count / float(incident.policy.get("scale") or 1))


def about(incident: Incident) -> dict[str, Any]:
    """The first facts: what, where, how bad."""
    facts: dict[str, Any] = {"title": {}, "root": {}, "opened_at": incident.opened_at.isoformat()}
    for short, language in LANGUAGES.items():
        with translation.override(language):
            facts["title"][short] = incident.headline
            facts["root"][short] = root_name(incident.root) if incident.root else ""
    if incident.failure_class:
        facts["failure_class"] = {
            "en": incident.title_params.get("class_en") or incident.failure_class,
            "zh": incident.title_params.get("class_zh") or incident.failure_class,
        }
    return facts


def message(
    incident: Incident,
    person_id: int,
    template: str,
    step_key: str,
    *,
    facts: Mapping[str, Any] | None = None,
    **params: Any,
) -> Message:
    """`step_key` names the step within the incident: the same step never tells a person twice."""
    return Message(
        person_id=person_id,
        step_key=f"inc:{incident.number}:{step_key}",
        template=template,
        params={**(facts or about(incident)), **params},
        incident_number=incident.number,
        tier=incident.tier,
        url=f"/incidents/{incident.number}/",
        drill=incident.is_drill,
        region=incident.region,
        audience_id=incident.audience_id,
    )


def call(
    incident: Incident, person_id: int, domains: Sequence[str], template: str, step_key: str
) -> Message:
    return message(incident, person_id, template, step_key, domain=", ".join(domains))


def in_charge(incident: Incident, template: str, step_key: str, **params: Any) -> list[Message]:
    """To the commander, the owner and the recovery owner, each once."""
    people = {incident.commander_id, incident.owner_id, incident.recovery_owner_id}
    facts = about(incident)
    return [
        message(incident, person_id, template, step_key, facts=facts, **params)
        for person_id in sorted(p for p in people if p is not None)
    ]
