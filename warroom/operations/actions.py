"""The one door for what people do to an incident: pages and API come through here."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext

from core.errors import Invalid, NotAllowed
from people.models import User
from people.queries import visible
from warroom.models import Incident
from warroom.operations import (
    closing,
    findings,
    hand_overs,
    incidents,
    inputs,
    locks,
    restoration,
    room,
)
from warroom.states import Action, IncidentState, refusal_of, target_of
from warroom.states.fields import FIELDS

ENDING = (
    Action.STAND_DOWN,
    Action.FALSE_ALARM,
    Action.PROMOTE,
    Action.REJECT,
    Action.REOPEN,
)
"""Actions that also change the alert group, which is locked first."""

Take = Callable[..., object]


@transaction.atomic
def take(*, number: int, action: str, data: Mapping[str, Any], by: User, at: datetime) -> Incident:
    """
    Take one of `allowed_actions` with its fields (warroom.states.fields).

    Steps of clocks that are due by `at` happen before it.

    :raises NotFound: if `by` may not see the incident; NotAllowed: who may is in the sentence;
        Invalid: with a sentence for each field; Refused: the incident has moved on.
    """
    if action not in Action.values:
        words = ", ".join(Action.values)
        raise Invalid(fields={"action": [gettext("Choose one of: %(words)s.") % {"words": words}]})
    act = Action(action)
    incident = locks.incident(number, at=at, by=by, group=act in ENDING)
    target_of(IncidentState(incident.state), act)
    _authorise(incident, act, by)
    values = inputs.read(FIELDS[act], data)
    _refuse_blind(incident, values)
    TAKE[act](incident=incident, by=by, at=at, **values)
    if act not in SELF_TOLD:
        room.changed(incident)
    return Incident.objects.with_everything().get(number=number)


def _refuse_blind(incident: Incident, values: Mapping[str, Any]) -> None:
    """Nobody is given a part in what they may not see (I13): they could not even decline it."""
    for name, one in values.items():
        if isinstance(one, User):
            seen = visible(Incident.objects.filter(pk=incident.pk), one)
            if not seen.exists():
                sentence = gettext("%(name)s may not see this incident; choose somebody else.")
                raise Invalid(fields={name: [sentence % {"name": one}]})


def _authorise(incident: Incident, action: Action, by: User) -> None:
    sentence = refusal_of(action, incident.standing_of(by))
    if not sentence:
        return
    if incident.commander is not None:
        holder = gettext("Commander now: %(name)s.") % {"name": incident.commander}
        sentence = f"{sentence} {holder}"
    raise NotAllowed(sentence)


def _stand_down(*, incident: Incident, by: User, at: datetime, **data: Any) -> None:
    closing.stand_down(incident=incident, data=data, by=by, at=at)


SELF_TOLD = (Action.NOTE, Action.PROMOTE, Action.REJECT, Action.STAND_DOWN, Action.FALSE_ALARM)
TAKE: dict[Action, Take] = {
    Action.ACKNOWLEDGE: room.acknowledge,
    Action.JOIN: room.join,
    Action.DECLINE: room.decline,
    Action.LEAVE: room.leave,
    Action.TAKE_COMMAND: room.take_command,
    Action.ASSIGN: room.assign,
    Action.HAND_OVER: hand_overs.offer,
    Action.ACCEPT: hand_overs.accept,
    Action.REFUSE: hand_overs.refuse,
    Action.RAISE_TIER: findings.raise_tier,
    Action.CONFIRM_ROOT: findings.confirm_root,
    Action.RECLASSIFY: findings.reclassify,
    Action.NOTE: room.note,
    Action.MARK_RESTORED: restoration.mark_restored,
    Action.REVOKE_RESTORED: restoration.revoke_restored,
    Action.STAND_DOWN: _stand_down,
    Action.REOPEN: closing.reopen,
    Action.FALSE_ALARM: closing.false_alarm,
    Action.PROMOTE: incidents.promote,
    Action.REJECT: incidents.reject,
}
