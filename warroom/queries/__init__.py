"""What others ask this app: incidents, the board, a room, its timeline, its gates."""

from warroom.queries.gates import Gate, gates_missing
from warroom.queries.incidents import filtered, incident, incident_list, open_incidents_of_job
from warroom.queries.quorum import missing_domains
from warroom.queries.rooms import (
    Blast,
    Board,
    Deadline,
    RoomPage,
    Row,
    blast,
    board,
    next_deadline,
    open_count,
    room,
    row,
)
from warroom.queries.timelines import Line, timeline

__all__ = [
    "Blast",
    "Board",
    "Deadline",
    "Gate",
    "Line",
    "RoomPage",
    "Row",
    "blast",
    "board",
    "filtered",
    "gates_missing",
    "incident",
    "incident_list",
    "missing_domains",
    "next_deadline",
    "open_count",
    "open_incidents_of_job",
    "room",
    "row",
    "timeline",
]
