"""Who is still missing from a room: the commander, the recovery owner, every required domain."""

from collections.abc import Iterable

from warroom.models import Incident, Participant
from warroom.states import ParticipantState


def missing_domains(incident: Incident, people: Iterable[Participant]) -> list[str]:
    """
    The domains whom the ladder still has to find, SRE first.

    SRE stands for the commander; PLT also for the recovery owner.
    """
    here = [p for p in people if p.state == ParticipantState.JOINED]
    present = {p.user_id for p in here}
    covered = {domain for p in here for domain in p.domains}
    missing = [] if incident.commander_id in present else ["SRE"]
    missing += [d for d in incident.domains_called if d not in covered]
    if incident.recovery_owner_id not in present and "PLT" not in missing:
        missing.append("PLT")
    return missing
