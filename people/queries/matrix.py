"""The responsibility matrix: whom a failure class, a root and a tier call."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from fleet.models import FailureClass
from people.models import Responsibility
from people.queries.duty import Duty
from people.states import Condition, Domain, Letter

MANY_NODES = 3  # domain.md 2.3: "R for > 3 nodes"
TIER_WITH_CUSTOMER = 2
CUSTOMER_DOMAINS = frozenset({Domain.JOB, Domain.TAM})

ROOT_OWNERS: dict[str, Domain] = {
    "card": Domain.HW,
    "node": Domain.HW,
    "nodes": Domain.HW,
    "supernode": Domain.HW,
    "link": Domain.NET,
    "switch": Domain.NET,
    "plane": Domain.NET,
    "line": Domain.NET,
    "service": Domain.PLT,
    "facility": Domain.FAC,
    "job": Domain.FRM,
    "region": Domain.PLT,
    "monitoring": Domain.PLT,
}


@dataclass(frozen=True, slots=True)
class Cell:
    domain: str
    letter: str
    condition: str = ""


def responsibilities(failure_class: str) -> list[Cell]:
    """The cells of one class, in the order of the domains; none for an unknown class."""
    rows = Responsibility.objects.filter(failure_class=failure_class).exclude(letter="")
    cells = [Cell(row.domain, row.letter, row.condition) for row in rows]
    order = {domain: place for place, domain in enumerate(Domain.values)}
    return sorted(cells, key=lambda cell: order.get(cell.domain, len(order)))


def letter_of(
    cell: Cell,
    *,
    facts: Mapping[str, Any],
    tier: int,
    root_level: str,
    subtype: str = "",
) -> Letter:
    """What the cell says now: its letter while the condition holds, otherwise consulted."""
    many = max(int(facts.get("nodes_hit") or 0), 0) > MANY_NODES
    ckpt = subtype == "PSD-CKPT" or bool(facts.get("ckpt"))
    holds = {
        Condition.ALWAYS: True,
        Condition.TIER_2: tier <= TIER_WITH_CUSTOMER,
        Condition.CKPT: ckpt,
        Condition.NOT_CKPT: not ckpt,
        Condition.NETWORK_EVIDENCE: bool(facts.get("network")),
        Condition.MANY_NODES: many,
        Condition.MANY_NODES_OR_POWER: many or bool(facts.get("power_or_cooling")),
        Condition.NOT_LINE: root_level != "line" and not facts.get("line"),
    }
    return Letter(cell.letter) if holds[Condition(cell.condition)] else Letter.CONSULTED


def root_owners(
    *, root_level: str, facts: Mapping[str, Any], service_domain: str = ""
) -> list[str]:
    """
    The domains that own the suspected root (domain.md 2.3, "Who is who").

    `service_domain` is the owner of a service: STO for storage, otherwise PLT. Power or cooling
    evidence of the facility brings FAC beside HW; a chassis fan is no such evidence.
    """
    if root_level not in ROOT_OWNERS:
        return []
    owner = str(ROOT_OWNERS[root_level])
    if root_level == "nodes" and facts.get("version_cause"):
        return [Domain.DRV]
    if root_level == "service" and (service_domain or facts.get("storage")):
        return [service_domain or Domain.STO]
    if owner == Domain.HW and facts.get("power_or_cooling"):
        return [Domain.FAC, owner]
    return [owner]


def required_domains(
    cells: Iterable[Cell],
    *,
    facts: Mapping[str, Any],
    tier: int,
    root_level: str,
    subtype: str = "",
    service_domain: str = "",
    drill: bool = False,
) -> list[str]:
    """
    Whom the ladder pages at minute 0, in the order of the domains.

    The R cells under their conditions, the owners of the suspected root, TAM at tier 2. The
    commander (SRE) is always called and never listed. A drill calls no customer: JOB and TAM
    have a stand-in and are not required.
    """
    found = set(root_owners(root_level=root_level, facts=facts, service_domain=service_domain))
    for cell in cells:
        letter = letter_of(cell, facts=facts, tier=tier, root_level=root_level, subtype=subtype)
        if letter == Letter.RESPONSIBLE:
            found.add(cell.domain)
    if tier <= TIER_WITH_CUSTOMER:
        found.add(Domain.TAM)
    unlisted = {Domain.SRE} | (CUSTOMER_DOMAINS if drill else set())
    return [str(domain) for domain in Domain.values if domain in found - unlisted]


@dataclass(frozen=True, slots=True, kw_only=True)
class GridCell:
    """A cell of the page: what it says, and what would go wrong tonight."""

    row: Responsibility
    duty: Duty | None
    uncovered: bool
    nobody: bool

    @property
    def red(self) -> bool:
        return self.uncovered or self.nobody


@dataclass(frozen=True, slots=True, kw_only=True)
class GridRow:
    failure_class: str
    cells: list[GridCell]
    lacks_accountable: bool


def grid(
    classes: Iterable[str], duties: Iterable[Duty], domains: Iterable[Domain]
) -> list[GridRow]:
    """The matrix with what is missing: cells without a letter, callers with nobody on duty."""
    rows = {(row.failure_class, row.domain): row for row in Responsibility.objects.all()}
    known = list(dict.fromkeys([*classes, *sorted(code for code, _ in rows)]))
    by_domain: dict[str, Duty] = {}
    for duty in sorted(duties, key=lambda duty: duty.primary is None):
        by_domain[duty.domain] = duty  # a gap in one region is a gap
    shown = list(domains)
    return [_grid_row(code, rows, by_domain, shown) for code in known]


def failure_class_names() -> dict[str, str]:
    return {row.code: row.name for row in FailureClass.objects.order_by("order")}


def columns() -> list[Domain]:
    """SEC has no part in the six classes; its column appears with its first cell."""
    has_sec = Responsibility.objects.filter(domain=Domain.SEC).exclude(letter="").exists()
    return [domain for domain in Domain if domain != Domain.SEC or has_sec]


def _grid_row(
    code: str,
    rows: Mapping[tuple[str, str], Responsibility],
    duties: Mapping[str, Duty],
    domains: Iterable[Domain],
) -> GridRow:
    cells = []
    for domain in domains:
        row = rows.get((code, domain)) or Responsibility(
            failure_class=code, domain=domain, version=0
        )
        duty = duties.get(domain)
        calls = row.letter in {Letter.RESPONSIBLE, Letter.ACCOUNTABLE}
        nobody = calls and (duty is None or duty.primary is None)
        cells.append(GridCell(row=row, duty=duty, uncovered=not row.letter, nobody=nobody))
    lacks = not any(cell.row.letter == Letter.ACCOUNTABLE for cell in cells)
    return GridRow(failure_class=code, cells=cells, lacks_accountable=lacks)


def broken() -> list[str]:
    """For check_integrity: a class without anybody who answers for it."""
    codes = set(Responsibility.objects.values_list("failure_class", flat=True))
    answered = Responsibility.objects.filter(letter=Letter.ACCOUNTABLE)
    lacking = codes - set(answered.values_list("failure_class", flat=True))
    return [f"responsibility matrix: {code} has no A" for code in sorted(lacking)]
