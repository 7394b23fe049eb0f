"""Which domains an incident calls (domain.md 2.3): the matrix read for one incident."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from people.queries import Cell, required_domains
from people.queries.matrix import letter_of
from warroom.models import Incident

CUSTOMER_SIDE = frozenset({"JOB", "TAM"})
STORAGE_WORDS = ("pfs", "mds", "nas", "obs", "sfs", "oss", "dpc", "storage", "lustre", "ceph")


@dataclass(frozen=True, slots=True, kw_only=True)
class CallList:
    """R is paged at minute 0, C invited without a page, I told. The commander is called anyway."""

    required: list[str]
    invited: list[str]
    told: list[str]


def call_list(*, incident: Incident, cells: Iterable[Cell]) -> CallList:
    """
    The row of the class under its conditions, the owner of the suspected root, TAM at tier 2.

    PLT is always there: its person on duty is the recovery owner. Drills never call customers.
    """
    cells, about = list(cells), _about(incident)
    required = required_domains(
        cells,
        **about,
        service_domain="STO" if _stores(incident.root, incident.subtype) else "",
        drill=incident.is_drill,
    )
    if "PLT" not in required:
        required = [*required, "PLT"]
    beside: dict[str, list[str]] = {"C": [], "I": []}
    for cell in cells:
        letter = str(letter_of(cell, **about))
        if letter in beside and cell.domain not in required and not _kept_out(cell, incident):
            beside[letter].append(cell.domain)
    return CallList(required=required, invited=beside["C"], told=beside["I"])


def _about(incident: Incident) -> dict[str, Any]:
    return {
        "facts": incident.facts,
        "tier": incident.tier,
        "root_level": str(incident.root.get("level") or "unknown"),
        "subtype": incident.subtype,
    }


def _kept_out(cell: Cell, incident: Incident) -> bool:
    return cell.domain == "SRE" or (incident.is_drill and cell.domain in CUSTOMER_SIDE)


def _stores(root: Mapping[str, Any], subtype: str) -> bool:
    if root.get("level") != "service":
        return False
    name = str(root.get("path") or "").rsplit(":", 1)[-1].lower()
    return subtype == "PSD-CKPT" or any(word in name for word in STORAGE_WORDS)
