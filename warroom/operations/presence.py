"""Whether a room is assembled, and what follows when it is."""

from datetime import datetime

from warroom.models import Incident
from warroom.operations import clocks
from warroom.queries import quorum
from warroom.states import (
    LIVE,
    ClockKind,
    IncidentState,
    Move,
    RoomMove,
    RoomState,
    moved,
    room_after,
)


def check(incident: Incident, *, at: datetime) -> None:
    """The instant commander, recovery owner and every required domain are here, once."""
    if incident.assembled_at is not None or incident.state not in LIVE:
        return
    if quorum.missing_domains(incident, incident.participants.all()):
        return
    incident.assembled_at = at
    incident.state = moved(IncidentState(incident.state), Move.ASSEMBLE)
    incident.save(update_fields=["assembled_at", "state"])
    clocks.meet(incident=incident, kind=ClockKind.ASSEMBLE, met_at=at, told_at=at)
    room = incident.room
    if room.state == RoomState.CONVENING:
        room.state, room.active_at = room_after(room.state, RoomMove.START), at
        room.save(update_fields=["state", "active_at"])
