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
    return about_each([incident])[incident.number]


def about_each(incidents: Sequence[Incident]) -> dict[int, dict[str, Any]]:
    """By number; each language is switched to once."""
    found = {one.number: _untranslated(one) for one in incidents}
    for short, language in LANGUAGES.items():
        with translation.override(language):
            for one in incidents:
                facts = found[one.number]
                facts["title"][short] = one.headline
                facts["root"][short] = root_name(one.root) if one.root else ""
    return found


def _untranslated(incident: Incident) -> dict[str, Any]:
    facts: dict[str, Any] = {"title": {}, "root": {}, "opened_at": incident.opened_at.isoformat()}
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
    known = facts or about(incident)
    return Message(
        person_id=person_id,
        step_key=f"inc:{incident.number}:{step_key}",
        template=template,
        params={**known, **params} if params else known,
        incident_number=incident.number,
        tier=incident.tier,
        url=f"/incidents/{incident.number}/",
        drill=incident.is_drill,
        region=incident.region,
        audience_id=incident.audience_id,
    )


def call(
    incident: Incident,
    person_id: int,
    domains: Sequence[str],
    template: str,
    step_key: str,
    facts: Mapping[str, Any] | None = None,
) -> Message:
    return message(incident, person_id, template, step_key, facts=facts, domain=", ".join(domains))


def in_charge(
    incident: Incident,
    template: str,
    step_key: str,
    *,
    facts: Mapping[str, Any] | None = None,
    **params: Any,
) -> list[Message]:
    """To the commander, the owner and the recovery owner, each once."""
    people = {incident.commander_id, incident.owner_id, incident.recovery_owner_id}
    said = {**(facts or about(incident)), **params}
    return [
        message(incident, person_id, template, step_key, facts=said)
        for person_id in sorted(p for p in people if p is not None)
    ]
