"""What people do in a room: acknowledge, join, decline, leave, take command, assign, note."""

from datetime import datetime

from django.utils.translation import gettext

from core.errors import Invalid, NotAllowed, Refused
from core.operations import events
from notifications.operations import deliveries
from people.models import User
from people.states import Domain
from warroom.models import ClockStep, Incident, Participant
from warroom.operations import messages, muster, presence, timeline
from warroom.operations.muster import BACKUP
from warroom.queries import quorum
from warroom.states import (
    Action,
    IncidentState,
    ParticipantMove,
    ParticipantState,
    Role,
    StepAction,
    StepState,
    participant_after,
    target_of,
)

SINGLE = (Role.COMMANDER, Role.RECOVERY_OWNER, Role.SCRIBE, Role.COMMUNICATIONS)
"""Roles that one person has at a time."""


def acknowledge(*, incident: Incident, by: User, at: datetime) -> None:
    """I know, I am on my way. Without joining within the policy's minutes they are asked again."""
    one = _row(incident, by)
    if one is None:
        one = Participant(incident=incident, user=by, state=ParticipantState.ACKNOWLEDGED)
    else:
        if one.state == ParticipantState.NO_ANSWER:
            one.state = participant_after(one.state, ParticipantMove.ASK)
        one.state = participant_after(one.state, ParticipantMove.ACKNOWLEDGE)
    one.acknowledged_at = at
    one.save()
    _answered(incident, Action.ACKNOWLEDGE, by, at)
    wait = int(incident.policy.get("join_minutes", 5))
    ClockStep.objects.create(
        incident=incident,
        participant=one,
        action=StepAction.ASK_AGAIN,
        minute=wait,
        due_at=at + messages.minutes(incident, wait),
    )
    timeline.record(incident=incident, kind="acknowledged", at=at, actor=by)


def _answered(incident: Incident, action: Action, by: User, at: datetime) -> None:
    """The first human answer sets `acknowledged_at`; what is queued for them is cancelled."""
    incident.state = target_of(IncidentState(incident.state), action)
    incident.acknowledged_at = incident.acknowledged_at or at
    incident.save(update_fields=["state", "acknowledged_at"])
    deliveries.cancel(incident_number=incident.number, person_id=by.pk, at=at)


def join(*, incident: Incident, by: User, at: datetime, role: str = "") -> None:
    """
    Be in the room. `role` may name a role, or the domain for whom they come.

    :raises IllegalTransition: if they are in it already.
    """
    one = _enter(incident, by, at)
    _answered(incident, Action.JOIN, by, at)
    if role in Domain.values:
        one.domains = list(dict.fromkeys([*one.domains, role]))
    elif role == Role.COMMANDER:
        _command(incident, one, at)
    elif role == Role.RECOVERY_OWNER:
        _own_recovery(incident, one)
    elif role in Role.values:
        one.roles = list(dict.fromkeys([*one.roles, role]))
    elif role:
        words = ", ".join([*Role.values, *Domain.values])
        raise Invalid(fields={"role": [gettext("Choose one of: %(words)s.") % {"words": words}]})
    one.save()
    timeline.record(
        incident=incident, kind="joined", at=at, actor=by, role=role, domains=one.domains
    )
    presence.check(incident, at=at)


def _enter(incident: Incident, by: User, at: datetime) -> Participant:
    one = _row(incident, by) or Participant(
        incident=incident, user=by, state=ParticipantState.ASKED
    )
    one.state = participant_after(one.state, ParticipantMove.JOIN)
    one.joined_at, one.left_at = at, None
    one.save()
    _forget_steps(one)
    return one


def be_present(*, incident: Incident, by: User, at: datetime) -> Participant:
    """The person's row, joined now if it was not."""
    one = _row(incident, by)
    return one if one and one.present else _enter(incident, by, at)


def decline(*, incident: Incident, by: User, at: datetime, reason: str = "") -> None:
    """Cannot come: whoever is next for their domains is called at once."""
    gathering = muster.load([incident], at)
    one = gathering.of(incident).get(by.pk)
    if one is None:
        raise Refused(gettext("You were not asked to come."))
    one.state = participant_after(one.state, ParticipantMove.DECLINE)
    one.reason = reason
    muster.touch(gathering, one)
    _forget_steps(one)
    incident.state = target_of(IncidentState(incident.state), Action.DECLINE)
    deliveries.cancel(incident_number=incident.number, person_id=by.pk, at=at)
    timeline.record(incident=incident, kind="declined", at=at, actor=by, text=reason)
    missing = quorum.missing_domains(incident, gathering.of(incident).values())
    theirs = [domain for domain in missing if domain in one.domains]
    key = f"declined:{one.pk}:{int(at.timestamp())}"
    muster.call(gathering, incident, theirs, level=BACKUP, step_key=key, at=at)
    muster.write(gathering)


def leave(*, incident: Incident, by: User, at: datetime) -> None:
    one = _row(incident, by)
    if one is None:
        raise Refused(gettext("You are not in this room."))
    one.state, one.left_at = participant_after(one.state, ParticipantMove.LEAVE), at
    one.save(update_fields=["state", "left_at"])
    timeline.record(incident=incident, kind="left", at=at, actor=by)


def take_command(*, incident: Incident, by: User, at: datetime) -> None:
    """Become the commander at once; the one before is told."""
    one = be_present(incident=incident, by=by, at=at)
    _answered(incident, Action.TAKE_COMMAND, by, at)
    _command(incident, one, at)
    one.save()
    presence.check(incident, at=at)


def _command(incident: Incident, one: Participant, at: datetime) -> None:
    standing = incident.standing_of(one.user)
    if not (standing.role in ("commander", "lead", "admin") or "SRE" in one.domains):
        raise NotAllowed(
            gettext("Only who was called for SRE, or a commander, lead or admin, takes command.")
        )
    before = incident.commander
    if before is not None and before.pk != one.user_id:
        _strip(incident, Role.COMMANDER)
        deliveries.request(
            messages=[
                messages.message(
                    incident,
                    before.pk,
                    "general",
                    f"command:{one.user_id}:{int(at.timestamp())}",
                    text={
                        "en": f"{one.user} has taken command.",
                        "zh": f"{one.user} 已接管指挥。",
                    },
                )
            ],
            at=at,
        )
    incident.commander = one.user
    incident.save(update_fields=["commander"])
    one.roles = list(dict.fromkeys([Role.COMMANDER, *one.roles]))
    timeline.record(
        incident=incident,
        kind="command_taken",
        at=at,
        actor=one.user,
        before=str(before) if before else "",
    )


def _own_recovery(incident: Incident, one: Participant) -> None:
    if "PLT" not in one.domains:
        raise NotAllowed(
            gettext("Only who was called for PLT may take this; the commander may assign it.")
        )
    _strip(incident, Role.RECOVERY_OWNER)
    incident.recovery_owner = one.user
    incident.save(update_fields=["recovery_owner"])
    one.roles = list(dict.fromkeys([*one.roles, Role.RECOVERY_OWNER]))


def _strip(incident: Incident, role: Role) -> None:
    for other in incident.participants.filter(roles__contains=[role]):
        other.roles = [r for r in other.roles if r != role]
        other.save(update_fields=["roles"])


def assign(*, incident: Incident, role: str, user: User, by: User, at: datetime) -> None:
    """
    Give a role to somebody, who is asked to come if they are not here.

    :raises Invalid: for command, which passes only by a hand-over or by being taken.
    """
    if role == Role.COMMANDER:
        sentence = gettext("Command passes by “Hand over” and “Accept”, or by “Take command”.")
        raise Invalid(fields={"role": [sentence]})
    if role in SINGLE:
        _strip(incident, Role(role))
    gathering = muster.load([incident], at)
    one = muster.enlist(gathering, incident, user, role=role)
    if role == Role.RECOVERY_OWNER:
        incident.recovery_owner = user
        incident.save(update_fields=["recovery_owner"])
    if not one.present:
        key = f"assigned:{role}:{int(at.timestamp())}"
        words = ROLE[Role(role)]
        gathering.tell(messages.message(incident, user.pk, "incident_call", key, role=words))
    muster.write(gathering)
    timeline.record(
        incident=incident, kind="assigned", at=at, actor=by, role=role, person=str(user)
    )
    presence.check(incident, at=at)


ROLE = {
    Role.DEPUTY: {"en": "Deputy commander", "zh": "副指挥"},
    Role.RECOVERY_OWNER: {"en": "Recovery owner", "zh": "恢复主责"},
    Role.SCRIBE: {"en": "Scribe", "zh": "记录员"},
    Role.COMMUNICATIONS: {"en": "Communications lead", "zh": "通报员"},
    Role.CUSTOMER_CONTACT: {"en": "Customer contact", "zh": "客户接口人"},
    Role.DOMAIN_LEAD: {"en": "Domain lead", "zh": "领域接口人"},
    Role.DECISION_MAKER: {"en": "Decision maker", "zh": "决策人"},
    Role.OBSERVER: {"en": "Observer", "zh": "旁听"},
}


def note(*, incident: Incident, text: str, by: User, at: datetime) -> None:
    timeline.record(incident=incident, kind="note", at=at, actor=by, text=text)


def _row(incident: Incident, user: User) -> Participant | None:
    return incident.participants.filter(user=user).first()


def _forget_steps(one: Participant) -> None:
    ClockStep.objects.filter(participant=one, state=StepState.PENDING).update(
        state=StepState.CANCELLED
    )


def changed(incident: Incident) -> None:
    """Tell the other apps that something about this incident changed."""
    events.publish(kind="incident_changed", number=incident.number)
