"""Regions, services, feeds, racks, nodes and cards of the demo fleet."""

from collections.abc import Iterator

from fleet.models import Kind
from fleet.operations.demo import fabric
from fleet.operations.demo.shapes import (
    CARDS,
    LINE,
    NODES,
    NODES_PER_RACK,
    PLANES,
    RACKS,
    REGIONS,
    SHORT,
    SUPERNODES,
    ULQ,
    Part,
    region_of,
    supernode_path,
)


def levels() -> Iterator[list[Part]]:
    """The parts, parents before children, one list a level."""
    numbers = range(1, SUPERNODES + 1)
    yield [*(Part(path=r, kind=Kind.REGION, name=r, region=r) for r in REGIONS), _line()]
    yield [
        *(part for region in REGIONS for part in _region_parts(region)),
        *(part for number in numbers for part in _feeds(number)),
        *(_supernode(number) for number in numbers),
    ]
    yield [
        *(part for region in REGIONS for part in _metadata_servers(region)),
        *(part for number in numbers for part in _racks(number)),
        *(part for number in numbers for part in _nodes(number)),
        *(part for number in numbers for part in fabric.leaves(number)),
        *(fabric.ub_plane(number) for number in numbers),
    ]
    yield [part for number in numbers for part in fabric.sub_planes(number)]
    yield [part for number in numbers for part in fabric.l2_switches(number)]
    yield [part for number in numbers for part in _cards(number)]
    yield [part for number in numbers for part in fabric.links(number)]


def _line() -> Part:
    return Part(path=LINE, kind=Kind.LINE, name=LINE.split(":")[1], attributes={"ends": [*REGIONS]})


def _region_parts(region: str) -> Iterator[Part]:
    short = SHORT[region]
    for plane in PLANES:
        yield Part(
            path=f"{region}/plane:{plane}",
            kind=Kind.PLANE,
            name=plane,
            parent=region,
            region=region,
            attributes={"plane": plane},
        )
    for name, what in (
        (f"pfs-{short}-01", "parallel file system"),
        (f"ckpt-{short}", "object store bucket"),
        ("control-plane", "control plane"),
        ("scheduler", "scheduler"),
    ):
        yield Part(
            path=f"{region}/service:{name}",
            kind=Kind.SERVICE,
            name=name,
            parent=region,
            region=region,
            attributes={"what": what, "storage": name.startswith(("pfs", "ckpt"))},
        )


def _metadata_servers(region: str) -> Iterator[Part]:
    service = f"pfs-{SHORT[region]}-01"
    for number in range(1, 5):
        yield Part(
            path=f"{region}/service:{service}/mds-{number:02d}",
            kind=Kind.SERVICE,
            name=f"mds-{number:02d}",
            parent=f"{region}/service:{service}",
            region=region,
            attributes={"what": "metadata server", "storage": True},
        )


def _feed(number: int, side: str) -> str:
    """Two supernodes share a row of feeds: the even one A and B, the odd one C and D."""
    row = (number + 1) // 2 if region_of(number) == ULQ else (number + 1) // 2 - SUPERNODES // 4
    letter = side if number % 2 == 0 else {"A": "C", "B": "D"}[side]
    return f"PDU-{SHORT[region_of(number)][0].upper()}-{row:02d}{letter}"


def _feeds(number: int) -> Iterator[Part]:
    region = region_of(number)
    for side in "AB":
        name = _feed(number, side)
        yield Part(
            path=f"{region}/facility:{name}",
            kind=Kind.FACILITY,
            name=name,
            parent=region,
            region=region,
            supernode=f"sn{number:02d}",
            attributes={"what": "power", "feeds": [supernode_path(number)], "side": side},
        )


def _supernode(number: int) -> Part:
    region = region_of(number)
    return Part(
        path=supernode_path(number),
        kind=Kind.SUPERNODE,
        name=f"sn{number:02d}",
        parent=region,
        region=region,
        supernode=f"sn{number:02d}",
        attributes={"fed_by": [f"{region}/facility:{_feed(number, side)}" for side in "AB"]},
    )


def _rack(number: int, node: int) -> str:
    return f"R{number:02d}-{(node - 1) // NODES_PER_RACK + 1:02d}"


def _racks(number: int) -> Iterator[Part]:
    region = region_of(number)
    for rack in range(1, RACKS + 1):
        yield Part(
            path=f"{region}/rack:R{number:02d}-{rack:02d}",
            kind=Kind.RACK,
            name=f"R{number:02d}-{rack:02d}",
            parent=region,
            region=region,
            supernode=f"sn{number:02d}",
            attributes={"fed_by": {side: _feed(number, side) for side in "AB"}},
        )


def _nodes(number: int) -> Iterator[Part]:
    for node in range(1, NODES + 1):
        name = f"sn{number:02d}-n{node:02d}"
        yield Part(
            path=f"{supernode_path(number)}/{name}",
            kind=Kind.NODE,
            name=name,
            parent=supernode_path(number),
            region=region_of(number),
            supernode=f"sn{number:02d}",
            node=name,
            index=node,
            serial=f"DEMO-N{number:02d}{node:02d}",
            address=f"10.{64 + number}.0.{node}",
            attributes={"rack": _rack(number, node), "bmc": f"10.{64 + number}.1.{node}"},
        )


def _cards(number: int) -> Iterator[Part]:
    for node in range(1, NODES + 1):
        name = f"sn{number:02d}-n{node:02d}"
        for card in range(CARDS):
            yield Part(
                path=f"{supernode_path(number)}/{name}/{card}",
                kind=Kind.CARD,
                name=f"{name}/{card}",
                parent=f"{supernode_path(number)}/{name}",
                region=region_of(number),
                supernode=f"sn{number:02d}",
                node=name,
                index=card,
                serial=f"DEMO-C{number:02d}{node:02d}{card}",
                attributes={"dies": 2},
            )
