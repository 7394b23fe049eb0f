"""Passing on what one holds: offered, and the giver's own until somebody accepts."""

from datetime import datetime

from django.utils.translation import gettext

from core.errors import Invalid, Refused
from notifications.operations import deliveries
from people.models import User
from people.states import Role as UserRole
from warroom.models import HandOver, Incident
from warroom.operations import clocks, messages, presence, room, timeline
from warroom.states import ClockMove, HandOverMove, HandOverState, Role, hand_over_after

What = HandOver.What
ROLE_OF = {What.COMMANDER: Role.COMMANDER, What.RECOVERY_OWNER: Role.RECOVERY_OWNER}


def offer(*, incident: Incident, to: User, by: User, at: datetime, note: str = "") -> HandOver:
    """
    Offer everything that `by` holds: ownership, command, the recovery.

    :raises Refused: while another offer of theirs waits for its answer.
    """
    what = _held(incident, by)
    if to.pk == by.pk:
        raise Invalid(fields={"to": [gettext("You hold it already; choose somebody else.")]})
    if not to.is_active or not to.at_least(UserRole.ENGINEER):
        raise Invalid(fields={"to": [gettext("Viewers cannot take over; choose an engineer.")]})
    waiting = incident.hand_overs.filter(giver=by, state=HandOverState.OFFERED).first()
    if waiting is not None:
        raise Refused(
            gettext("Your offer to %(name)s still waits for an answer.") % {"name": waiting.taker}
        )
    minutes = int(incident.policy.get("hand_over_minutes", 10))
    hand_over = HandOver.objects.create(
        incident=incident,
        giver=by,
        taker=to,
        what=what,
        note=note,
        offered_at=at,
        expires_at=at + messages.minutes(incident, minutes),
    )
    clocks.offer(incident=incident, hand_over=hand_over, at=at)
    due_at = hand_over.expires_at.isoformat()
    deliveries.request(
        messages=[
            messages.message(
                incident,
                to.pk,
                "hand_over_offered",
                f"hand_over:{hand_over.pk}",
                from_name=str(by),
                note=note,
                due_at=due_at,
            )
        ],
        at=at,
    )
    timeline.record(
        incident=incident,
        kind="hand_over_offered",
        at=at,
        actor=by,
        text=note,
        taker=str(to),
        what=what,
    )
    return hand_over


def _held(incident: Incident, user: User) -> list[str]:
    holders = {
        What.OWNER: incident.owner_id,
        What.COMMANDER: incident.commander_id,
        What.RECOVERY_OWNER: incident.recovery_owner_id,
    }
    return [str(what) for what, holder in holders.items() if holder == user.pk]


def accept(*, incident: Incident, by: User, at: datetime) -> None:
    """
    Take over what was offered, and be in the room.

    :raises Refused: if the giver no longer holds any of it.
    """
    hand_over = _offered_to(incident, by)
    still = [what for what in hand_over.what if what in _held(incident, hand_over.giver)]
    if not still:
        raise Refused(gettext("It is no longer %(name)s's to give.") % {"name": hand_over.giver})
    _answer(hand_over, HandOverMove.ACCEPT, at)
    one = room.be_present(incident=incident, by=by, at=at)
    for what in still:
        setattr(incident, what, by)
    incident.save(update_fields=still)
    moved = [ROLE_OF[What(what)] for what in still if What(what) in ROLE_OF]
    for other in incident.participants.exclude(pk=one.pk).filter(roles__overlap=moved):
        other.roles = [role for role in other.roles if role not in moved]
        other.save(update_fields=["roles"])
    one.roles = list(dict.fromkeys([*moved, *one.roles]))
    one.save(update_fields=["roles"])
    clocks.settle(clock=hand_over.clock, move=ClockMove.MEET, at=at)
    _tell_giver(incident, hand_over, at, ACCEPTED)
    timeline.record(
        incident=incident,
        kind="hand_over_accepted",
        at=at,
        actor=by,
        giver=str(hand_over.giver),
        what=still,
    )
    presence.check(incident, at=at)


def refuse(*, incident: Incident, by: User, at: datetime, reason: str) -> None:
    hand_over = _offered_to(incident, by)
    hand_over.reason = reason
    _answer(hand_over, HandOverMove.REFUSE, at)
    clocks.settle(clock=hand_over.clock, move=ClockMove.CANCEL, at=at)
    _tell_giver(incident, hand_over, at, REFUSED)
    timeline.record(
        incident=incident,
        kind="hand_over_refused",
        at=at,
        actor=by,
        text=reason,
        giver=str(hand_over.giver),
    )


ACCEPTED = {"en": "%s has accepted your hand-over.", "zh": "%s 已接手。"}
REFUSED = {
    "en": "%s has refused your hand-over. You are still responsible.",
    "zh": "%s 未接手，责任仍在您。",
}


def _tell_giver(
    incident: Incident, hand_over: HandOver, at: datetime, words: dict[str, str]
) -> None:
    text = {language: words[language] % hand_over.taker for language in words}
    key = f"hand_over:{hand_over.pk}:answer"
    message = messages.message(incident, hand_over.giver_id, "general", key, text=text)
    deliveries.request(messages=[message], at=at)


def _offered_to(incident: Incident, by: User) -> HandOver:
    offers = incident.hand_overs.filter(taker=by, state=HandOverState.OFFERED)
    found = offers.select_related("giver", "taker").order_by("-offered_at").first()
    if found is None:
        raise Refused(gettext("Nothing is offered to you here."))
    return found


def _answer(hand_over: HandOver, move: HandOverMove, at: datetime) -> None:
    hand_over.state, hand_over.answered_at = hand_over_after(hand_over.state, move), at
    hand_over.save(update_fields=["state", "answered_at", "reason"])
