"""What a room still needs before it may stand down (domain.md 6.7)."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from warroom.models import Incident


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """One mandatory fact: the field of `stand_down` that fills it, or the action that does."""

    field: str
    sentence: str
    action: str = "stand_down"


def gates_missing(incident: Incident) -> list[Gate]:
    """The mandatory facts that are not there yet, in the order of the form."""
    missing = []
    if incident.class_confirmed_by_id is None:
        text = _("Confirm the failure class.")
        missing.append(Gate(field="failure_class", sentence=text, action="reclassify"))
    if incident.root_confirmed_by_id is None:
        text = _("Confirm the root, or say that it is unknown, with the reason.")
        missing.append(Gate(field="root_unknown_reason", sentence=text, action="confirm_root"))
    if not incident.occurred_confirmed:
        text = _("Confirm when the fault occurred.")
        missing.append(Gate(field="occurred_at", sentence=text))
    if not incident.impact_kind:
        text = _("Say what the impact was.")
        missing.append(Gate(field="impact", sentence=text))
    missing += _jobs(incident)
    if not incident.what_restored:
        text = _("Say in one sentence what restored it.")
        missing.append(Gate(field="what_restored", sentence=text))
    return missing


def _jobs(incident: Incident) -> list[Gate]:
    missing = []
    for job in incident.jobs.all():
        if job.dropped_at is not None:
            continue
        name: Mapping[str, str] = {"job": job.job_id}
        field = f"jobs.{job.job_id}"
        if job.restored_at is None:
            text = _("%(job)s has neither proof nor a waiver that it runs again.") % name
            missing.append(Gate(field=field, sentence=text, action="mark_restored"))
        if job.checkpoint_step is None:
            text = _("Say which checkpoint %(job)s used (its step).") % name
            missing.append(Gate(field=f"{field}.checkpoint_step", sentence=text))
        if job.lost_steps is None:
            text = _("Say how many steps %(job)s lost (0 is an answer).") % name
            missing.append(Gate(field=f"{field}.lost_steps", sentence=text))
    return missing
