"""Whom an incident needs, when that changes, and how they hear of it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from warroom.models import Incident, Participant
from warroom.operations import domains, messages, muster
from warroom.operations.muster import PRIMARY, Muster
from warroom.states import ParticipantMove, ParticipantState, StepAction, participant_after
from warroom.states.rooms import AWAITED

LADDER = (StepAction.CALL_BACKUPS, StepAction.CALL_MANAGERS, StepAction.CALL_NEXT_LEVEL)


def first_call(gathering: Muster, incident: Incident, *, at: datetime) -> None:
    """
    Minute 0: page the commander and the required domains.

    C and I hear of it a little later, when the evidence of the first minute is in: whoever turns
    out to be needed meanwhile gets one message, not two.
    """
    muster.call(
        gathering,
        incident,
        ["SRE", *incident.domains_called],
        level=PRIMARY,
        step_key="ladder:0",
        at=at,
    )
    wait = int(incident.policy.get("tell_others_minutes", 1))
    rung = {"minute": wait, "action": StepAction.TELL_OTHERS}
    gathering.steps += muster.steps_of(incident, None, [rung], at)


def tell_others(gathering: Muster, incident: Incident) -> None:
    """C and I: one message without a page to whoever is on duty, unless they were called."""
    calls = domains.call_list(incident=incident, cells=gathering.cells(incident.failure_class))
    for domain in [*calls.invited, *calls.told]:
        duty = gathering.duties(incident.region).get(domain)
        user = duty.primary if duty else None
        if user is not None and user.pk not in gathering.of(incident):
            gathering.tell(messages.message(incident, user.pk, "general", "beside", text=BESIDE))


BESIDE = {
    "en": "A War Room is open. You are not needed in it now, but you may be asked, and may join.",
    "zh": "作战室已开启。目前不需要您到场，但可能会咨询您，您也可以加入。",
}


def recall(gathering: Muster, incident: Incident, *, at: datetime) -> None:
    """
    Bring the call in line with what is known now; clocks never restart.

    Added domains are called at once, with a ladder of their own. Those no longer needed are told
    and drop out of the quorum; who has joined may stay. Sets `domains_called`, saved by the caller.
    """
    needed = domains.call_list(
        incident=incident, cells=gathering.cells(incident.failure_class)
    ).required
    added = [d for d in needed if d not in incident.domains_called]
    dropped = [d for d in incident.domains_called if d not in needed]
    incident.domains_called = needed
    if dropped:
        _drop(gathering, incident, dropped, at)
    if added:
        _add(gathering, incident, added, at)


def _add(gathering: Muster, incident: Incident, added: list[str], at: datetime) -> None:
    key = f"added:{'+'.join(added)}:{int(at.timestamp())}"
    gathering.write_down(incident, "domains_added", at, domains=added)
    muster.call(gathering, incident, added, level=PRIMARY, step_key=key, at=at)
    rungs = [r for r in rungs_of(incident, "assemble") if r["action"] in LADDER]
    steps = muster.steps_of(incident, None, rungs, at)
    for step in steps:
        step.domains = added
    gathering.steps += steps


def _drop(gathering: Muster, incident: Incident, dropped: list[str], at: datetime) -> None:
    gathering.write_down(incident, "domains_dropped", at, domains=dropped)
    for one in gathering.of(incident).values():
        if not one.required or _needed(incident, one):
            continue
        one.required = False
        if one.state in AWAITED:
            one.state = participant_after(one.state, ParticipantMove.REPLACE)
        muster.touch(gathering, one)
        if one.state in (ParticipantState.REPLACED, ParticipantState.JOINED):
            gathering.tell(
                messages.message(
                    incident,
                    one.user_id,
                    "no_longer_needed",
                    f"dropped:{int(at.timestamp())}",
                    domain=", ".join(d for d in one.domains if d in dropped),
                )
            )


def _needed(incident: Incident, one: Participant) -> bool:
    in_charge = {incident.commander_id, incident.recovery_owner_id, incident.owner_id}
    return one.user_id in in_charge or bool({*incident.domains_called, "SRE"} & {*one.domains})


def raise_tier(
    gathering: Muster, incident: Incident, *, tier: int, at: datetime, because: Mapping[str, Any]
) -> None:
    """
    Raise the tier at once (I14), call who is needed beside, and tell who is in charge.

    Sets `tier`, `tier_reason` and `domains_called`, saved by the caller.
    """
    before, incident.tier = incident.tier, tier
    incident.tier_reason = dict(because)
    gathering.write_down(
        incident, "tier_raised", at, before=before, after=tier, because=dict(because)
    )
    recall(gathering, incident, at=at)
    for message in messages.in_charge(
        incident, "tier_raised", f"tier:{tier}", facts=gathering.facts(incident)
    ):
        gathering.tell(message)


def rungs_of(incident: Incident, kind: str) -> list[dict[str, Any]]:
    """The steps of one clock in the policy that the incident took along when it opened."""
    rungs: list[dict[str, Any]] = incident.policy["tiers"][str(incident.tier)][kind]
    return rungs
