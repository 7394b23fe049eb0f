"""The networks of the demo fleet: RoCE leaves with a link a card, UB planes with L2 switches."""

from collections.abc import Iterator

from fleet.models import Kind
from fleet.operations.demo.shapes import (
    CARDS,
    L2_SWITCHES,
    LEAF_SLOT_PORTS,
    LEAVES,
    NODES,
    SUB_PLANES,
    Part,
    region_of,
    supernode_path,
)


def leaves(number: int) -> Iterator[Part]:
    for leaf in range(1, LEAVES + 1):
        name = f"leaf-roce-{number:02d}-{leaf}"
        yield Part(
            path=f"{region_of(number)}/switch:{name}",
            kind=Kind.SWITCH,
            name=name,
            parent=region_of(number),
            region=region_of(number),
            supernode=f"sn{number:02d}",
            address=f"10.{64 + number}.2.{leaf}",
            attributes={"plane": "roce", "role": "leaf"},
        )


def ub_plane(number: int) -> Part:
    return Part(
        path=f"{supernode_path(number)}/plane:ub",
        kind=Kind.PLANE,
        name="ub",
        parent=supernode_path(number),
        region=region_of(number),
        supernode=f"sn{number:02d}",
        attributes={"plane": "ub"},
    )


def sub_planes(number: int) -> Iterator[Part]:
    for sub in range(1, SUB_PLANES + 1):
        yield Part(
            path=f"{supernode_path(number)}/plane:ub/{sub}",
            kind=Kind.PLANE,
            name=f"ub/{sub}",
            parent=f"{supernode_path(number)}/plane:ub",
            region=region_of(number),
            supernode=f"sn{number:02d}",
            index=sub,
            attributes={"plane": "ub", "sub_plane": sub},
        )


def l2_switches(number: int) -> Iterator[Part]:
    region = region_of(number)
    for sub in range(1, SUB_PLANES + 1):
        for switch in range(1, L2_SWITCHES + 1):
            name = f"ub-l2-{number:02d}-{sub}-{switch:02d}"
            yield Part(
                path=f"{region}/switch:{name}",
                kind=Kind.SWITCH,
                name=name,
                parent=region,
                region=region,
                supernode=f"sn{number:02d}",
                index=switch,
                attributes={
                    "plane": "ub",
                    "role": "l2",
                    "sub_plane": sub,
                    "plane_path": f"{supernode_path(number)}/plane:ub/{sub}",
                },
            )


def links(number: int) -> Iterator[Part]:
    """Each card has one optical link: cards 0 and 4 to the first leaf, 1 and 5 to the second, …"""
    region = region_of(number)
    for node in range(1, NODES + 1):
        name = f"sn{number:02d}-n{node:02d}"
        for card in range(CARDS):
            leaf = f"leaf-roce-{number:02d}-{card % LEAVES + 1}"
            place = ((node - 1) * 2 + card // LEAVES + 46) % (NODES * CARDS // LEAVES)
            slot, port = place // LEAF_SLOT_PORTS + 1, place % LEAF_SLOT_PORTS + 1
            yield Part(
                path=f"{region}/link:{name}-{card}--{leaf}",
                kind=Kind.LINK,
                name=f"{name}-{card}--{leaf}",
                parent=region,
                region=region,
                supernode=f"sn{number:02d}",
                node=name,
                index=card,
                attributes={
                    "plane": "roce",
                    "ends": [
                        f"{supernode_path(number)}/{name}/{card}",
                        f"{region}/switch:{leaf}",
                    ],
                    "ports": [f"npu{card}", f"400GE{slot}/0/{port}"],
                },
            )
