"""The measures and names of the demo fleet."""

from dataclasses import dataclass, field
from typing import Any

from fleet.states import JobState

ULQ, SHA = "ulanqab", "shanghai"
REGIONS = (ULQ, SHA)
SUPERNODES, NODES, CARDS = 32, 48, 8
SUB_PLANES, L2_SWITCHES = 7, 16
LEAVES, LEAF_SLOT_PORTS = 4, 48
RACKS, NODES_PER_RACK = 12, 4
PLANES = ("roce", "vpc", "storage", "mgmt")
SPARE_SUPERNODES = ("sn31", "sn32")
# The release that every node should run, and the one before.
PACKAGES = {"HDK": ("25.0.RC1", "24.1.RC2"), "CANN": ("8.2.RC1", "8.2.RC1")}
DRIFTED_NODES = ("sn22-n05", "sn22-n06")
SHORT = {ULQ: "ulq", SHA: "sha"}
LINE = "line:ulanqab-shanghai-1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    path: str
    kind: str
    name: str
    parent: str = ""
    region: str = ""
    supernode: str = ""
    node: str = ""
    index: int | None = None
    serial: str = ""
    address: str = ""
    attributes: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoJob:
    job_id: str
    name: str
    region: str
    customer: str
    owner_team: str
    priority: int
    cards: int
    step_seconds: float
    checkpoint_seconds: int
    step: int
    supernodes: range = range(0)
    services: tuple[str, ...] = ()
    state: str = JobState.RUNNING


def region_of(number: int) -> str:
    return ULQ if number <= SUPERNODES // 2 else SHA


def supernode_path(number: int) -> str:
    return f"{region_of(number)}/sn{number:02d}"
