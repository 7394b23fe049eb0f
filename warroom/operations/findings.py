"""What people find out: the class, the root, a higher tier. Theirs win over later automation."""

from datetime import datetime

from django.utils.translation import gettext

from core.errors import Invalid
from core.operations import events
from fleet.models import Component, FailureClass
from people.models import User
from warroom.models import Incident
from warroom.models.incidents import LOWEST_TIER
from warroom.operations import calls, growth, muster, opening, presence, timeline
from warroom.operations.incidents import unknown_class
from warroom.states import Action, IncidentState, target_of

UNKNOWN = "unknown"


def reclassify(
    *, incident: Incident, failure_class: str, by: User, at: datetime, reason: str = ""
) -> None:
    """
    Confirm the class, or change it for a reason; the call follows at once, no clock restarts.

    :raises Invalid: for an unknown class, or a change without a reason.
    """
    if not FailureClass.objects.filter(pk=failure_class).exists():
        raise Invalid(fields={"failure_class": [unknown_class()]})
    before = incident.failure_class
    if before != failure_class and not reason:
        raise Invalid(fields={"reason": [gettext("Say why the class changes.")]})
    incident.state = target_of(IncidentState(incident.state), Action.RECLASSIFY)
    if before != failure_class:
        incident.subtype = ""
    incident.failure_class = failure_class
    incident.class_confirmed_by, incident.class_confirmed_at = by, at
    kind = "class_confirmed" if before == failure_class else "reclassified"
    timeline.record(
        incident=incident,
        kind=kind,
        at=at,
        actor=by,
        text=reason,
        before=before,
        after=failure_class,
    )
    _follow(incident, at)
    if before != failure_class:
        events.publish(kind="incident_reclassified", number=incident.number)


def confirm_root(
    *, incident: Incident, by: User, at: datetime, path: str = "", reason: str = ""
) -> None:
    """
    Confirm the suspected root, name another component, or say `unknown` with a reason.

    :raises Invalid: for a component that is not known, or without the reason that is needed.
    """
    suspected = growth.place(incident.root)
    same = not path or path in suspected
    if same and not any(suspected):
        raise Invalid(fields={"path": [gettext("Name the component, or “unknown”.")]})
    if path == UNKNOWN:
        _unknown(incident, reason)
    elif not same:
        _other(incident, path, reason)
    incident.state = target_of(IncidentState(incident.state), Action.CONFIRM_ROOT)
    incident.root_confirmed_by, incident.root_reason = by, reason
    incident.located_at = incident.located_at or at
    timeline.record(
        incident=incident, kind="root_confirmed", at=at, actor=by, text=reason, root=incident.root
    )
    _follow(incident, at)


def _unknown(incident: Incident, reason: str) -> None:
    if not reason:
        raise Invalid(fields={"reason": [gettext("Say why the root is not known.")]})
    incident.root = {"level": UNKNOWN, "path": "", "paths": [], "cause": "", "confidence": 0}


def _other(incident: Incident, path: str, reason: str) -> None:
    component = Component.objects.filter(path=path).first()
    if component is None:
        raise Invalid(fields={"path": [gettext("There is no component with this path.")]})
    if not reason:
        raise Invalid(fields={"reason": [gettext("Say why it is this one.")]})
    incident.root = growth.root_of(component)
    incident.layer = growth.layer_of(incident.root)


def raise_tier(*, incident: Incident, tier: int, reason: str, by: User, at: datetime) -> None:
    """
    Raise at once; a smaller number is more serious.

    :raises Invalid: for a tier that is not higher, or that is switched off.
    """
    lowest = int(incident.policy.get("lowest_tier", LOWEST_TIER))
    if tier >= incident.tier:
        text = gettext("It is tier %(tier)s already; a smaller number is more serious.")
        raise Invalid(fields={"tier": [text % {"tier": incident.tier}]})
    if tier < lowest:
        text = gettext("Tier %(tier)s is switched off on this site; an administrator may allow it.")
        raise Invalid(fields={"tier": [text % {"tier": tier}]})
    incident.state = target_of(IncidentState(incident.state), Action.RAISE_TIER)
    gathering = muster.load([incident], at)
    because = {"slug": "person", "by": str(by), "reason": reason}
    calls.raise_tier(gathering, incident, tier=tier, at=at, because=because)
    incident.save()
    muster.write(gathering)
    events.publish(kind="incident_escalated", number=incident.number)


def _follow(incident: Incident, at: datetime) -> None:
    opening.retitle(incident)
    gathering = muster.load([incident], at)
    if incident.live:
        calls.recall(gathering, incident, at=at)
    incident.save()
    muster.write(gathering)
    presence.check(incident, at=at)
