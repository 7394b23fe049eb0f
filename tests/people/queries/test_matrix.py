"""Whom the matrix calls: the eight scenarios as a table of facts, and each condition alone."""

from typing import Any

import pytest

from people.operations import responsibilities as matrix_operations
from people.queries import matrix
from people.queries.matrix import Cell, required_domains, root_owners
from tests.factories import NINE_OCLOCK

pytestmark = pytest.mark.django_db

SCENARIOS: list[tuple[str, str, str, int, str, dict[str, Any], set[str]]] = [
    ("a: HBM error", "DRV", "", 3, "card", {"nodes_hit": 1}, {"HW", "DRV", "PLT"}),
    (
        "b: RoCE link flaps",
        "NIN",
        "",
        3,
        "link",
        {"network": True, "nodes_hit": 1},
        {"NET", "HW", "FRM", "PLT"},
    ),
    (
        "c: supernode without power",
        "NCR",
        "",
        2,
        "supernode",
        {"power_or_cooling": True, "nodes_hit": 48},
        {"FAC", "HW", "NET", "PLT", "FRM", "TAM"},
    ),
    (
        "d: hyperplane",
        "NIN",
        "",
        2,
        "plane",
        {"network": True, "plane": True, "nodes_hit": 48},
        {"NET", "HW", "PLT", "FRM", "TAM"},
    ),
    (
        "e: launch failed, driver drift",
        "TLF",
        "",
        3,
        "nodes",
        {"version_cause": True, "nodes_hit": 2},
        {"PLT", "DRV", "FRM", "JOB"},
    ),
    ("f: slow node, chassis fan", "PSD", "PSD-SLOWNODE", 3, "card", {}, {"HW", "PLT", "FRM"}),
    ("g: node hangs", "NHG", "", 3, "node", {"nodes_hit": 1}, {"DRV", "HW", "PLT", "FRM"}),
    (
        "h: checkpoint stalls",
        "PSD",
        "PSD-CKPT",
        2,
        "service",
        {"storage": True, "services_shared": True},
        {"STO", "PLT", "FRM", "TAM"},
    ),
]


@pytest.mark.parametrize(
    ("name", "failure_class", "subtype", "tier", "level", "facts", "expected"),
    SCENARIOS,
    ids=[row[0] for row in SCENARIOS],
)
def test_the_eight_scenarios_call_whom_they_should(
    name: str,
    failure_class: str,
    subtype: str,
    tier: int,
    level: str,
    facts: dict[str, Any],
    expected: set[str],
) -> None:
    matrix_operations.load_shipped(at=NINE_OCLOCK)

    called = required_domains(
        matrix.responsibilities(failure_class),
        facts=facts,
        tier=tier,
        root_level=level,
        subtype=subtype,
    )

    assert set(called) == expected
    assert len(called) == len(expected)


@pytest.mark.parametrize(
    ("condition", "facts", "extra", "holds"),
    [
        ("", {}, {}, True),
        ("tier2", {}, {"tier": 3}, False),
        ("tier2", {}, {"tier": 2}, True),
        ("tier2", {}, {"tier": 1}, True),
        ("ckpt", {}, {"subtype": "PSD-CKPT"}, True),
        ("ckpt", {}, {}, False),
        ("not_ckpt", {}, {}, True),
        ("not_ckpt", {}, {"subtype": "PSD-CKPT"}, False),
        ("network_evidence", {"network": True}, {}, True),
        ("network_evidence", {}, {}, False),
        ("many_nodes", {"nodes_hit": 3}, {}, False),
        ("many_nodes", {"nodes_hit": 4}, {}, True),
        ("many_nodes", {"power_or_cooling": True}, {}, False),
        ("many_nodes_or_power", {"nodes_hit": 3}, {}, False),
        ("many_nodes_or_power", {"nodes_hit": 4}, {}, True),
        ("many_nodes_or_power", {"power_or_cooling": True}, {}, True),
        ("not_line", {}, {}, True),
        ("not_line", {}, {"root_level": "line"}, False),
        ("not_line", {"line": True}, {}, False),
    ],
)
def test_a_letter_applies_while_its_condition_holds_and_is_c_otherwise(
    condition: str, facts: dict[str, Any], extra: dict[str, Any], *, holds: bool
) -> None:
    context = {"tier": 3, "root_level": "unknown", "subtype": "", **extra}

    letter = matrix.letter_of(Cell("STO", "R", condition), facts=facts, **context)

    assert letter == ("R" if holds else "C")


@pytest.mark.parametrize(
    ("level", "facts", "owners"),
    [
        ("card", {}, ["HW"]),
        ("card", {"power_or_cooling": True}, ["FAC", "HW"]),
        ("node", {}, ["HW"]),
        ("nodes", {}, ["HW"]),
        ("nodes", {"version_cause": True}, ["DRV"]),
        ("supernode", {"power_or_cooling": True}, ["FAC", "HW"]),
        ("link", {}, ["NET"]),
        ("switch", {}, ["NET"]),
        ("plane", {}, ["NET"]),
        ("line", {}, ["NET"]),
        ("service", {}, ["PLT"]),
        ("service", {"storage": True}, ["STO"]),
        ("facility", {}, ["FAC"]),
        ("job", {}, ["FRM"]),
        ("region", {}, ["PLT"]),
        ("monitoring", {}, ["PLT"]),
        ("unknown", {}, []),
    ],
)
def test_the_owner_of_the_root_follows_its_level(
    level: str, facts: dict[str, Any], owners: list[str]
) -> None:
    assert root_owners(root_level=level, facts=facts) == owners


def test_broken_monitoring_calls_plt_beside_the_commander() -> None:
    assert required_domains([], facts={}, tier=3, root_level="monitoring") == ["PLT"]


def test_a_drill_requires_no_customer() -> None:
    matrix_operations.load_shipped(at=NINE_OCLOCK)
    cells = matrix.responsibilities("TLF")

    called = required_domains(cells, facts={}, tier=2, root_level="job", drill=True)

    assert "JOB" not in called
    assert "TAM" not in called


def test_every_shipped_class_has_eleven_cells_and_one_a() -> None:
    matrix_operations.load_shipped(at=NINE_OCLOCK)

    for code in ("TLF", "PSD", "NHG", "NCR", "NIN", "DRV"):
        cells = matrix.responsibilities(code)
        assert len(cells) == 11
        assert [cell.domain for cell in cells if cell.letter == "A"] == ["SRE"]
    assert matrix.broken() == []
