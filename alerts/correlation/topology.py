"""The fleet as the engine sees it: plain rows and look-ups, built once per fleet version."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Self


@dataclass(frozen=True, slots=True)
class Node:
    name: str
    path: str
    region: str = ""
    supernode: str = ""
    rack: str = ""
    cards: int = 8
    spare: bool = False
    feeds: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Supernode:
    name: str
    path: str
    region: str = ""
    nodes: int = 48


@dataclass(frozen=True, slots=True)
class Switch:
    name: str
    path: str
    region: str = ""
    plane: str = ""
    supernode: str = ""
    sub_plane: str = ""


@dataclass(frozen=True, slots=True)
class Service:
    """`kind`: storage, control (scheduler, registry, API server, accounts) or other."""

    name: str
    path: str
    region: str = ""
    kind: str = "storage"
    parts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Facility:
    """A PDU, UPS, CDU or feed, and what hangs on it."""

    name: str
    path: str
    region: str = ""
    supernodes: tuple[str, ...] = ()
    racks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Link:
    node: str
    card: str
    switch: str
    port: str = ""
    path: str = ""


@dataclass(frozen=True, slots=True)
class Job:
    """A job and its placement: whole supernodes, single nodes, or nothing known."""

    job_id: str
    region: str = ""
    supernodes: frozenset[str] = frozenset()
    nodes: frozenset[str] = frozenset()
    cards: int = 0
    ranks: int = 0
    services: frozenset[str] = frozenset()
    running: bool = True

    @property
    def placed(self) -> bool:
        return bool(self.supernodes or self.nodes)

    def covers(self, node: str, supernode: str) -> bool:
        """Whether the job runs on this node, or anywhere in this supernode when no node is given."""
        if node and node in self.nodes:
            return True
        if supernode and supernode in self.supernodes:
            return True
        return (
            not node and bool(supernode) and any(n.startswith(f"{supernode}-") for n in self.nodes)
        )


@dataclass(frozen=True, slots=True)
class Window:
    job_id: str
    starts_at: datetime
    ends_at: datetime


@dataclass(frozen=True)
class Topology:
    """All look-ups are by lower-case short name. An empty topology is legal: labels then say all."""

    nodes: Mapping[str, Node] = field(default_factory=dict)
    supernodes: Mapping[str, Supernode] = field(default_factory=dict)
    switches: Mapping[str, Switch] = field(default_factory=dict)
    services: Mapping[str, Service] = field(default_factory=dict)
    facilities: Mapping[str, Facility] = field(default_factory=dict)
    jobs: Mapping[str, Job] = field(default_factory=dict)
    peers: Mapping[tuple[str, str], Link] = field(default_factory=dict)
    ports: Mapping[tuple[str, str], Link] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)
    racks: Mapping[str, frozenset[str]] = field(default_factory=dict)
    windows: tuple[Window, ...] = ()

    @classmethod
    def build(
        cls,
        *,
        nodes: Iterable[Node] = (),
        supernodes: Iterable[Supernode] = (),
        switches: Iterable[Switch] = (),
        services: Iterable[Service] = (),
        facilities: Iterable[Facility] = (),
        links: Iterable[Link] = (),
        jobs: Iterable[Job] = (),
        windows: Iterable[Window] = (),
    ) -> Self:
        by_name = {node.name.lower(): node for node in nodes}
        wires = tuple(links)
        return cls(
            nodes=by_name,
            supernodes={s.name.lower(): s for s in supernodes},
            switches={s.name.lower(): s for s in switches},
            services={s.name.lower(): s for s in services},
            facilities={f.name.lower(): f for f in facilities},
            jobs={job.job_id: job for job in jobs},
            peers={(w.node.lower(), w.card): w for w in wires},
            ports={(w.switch.lower(), w.port): w for w in wires if w.port},
            aliases={a.lower(): name for name, node in by_name.items() for a in node.addresses},
            racks=_racks(by_name),
            windows=tuple(windows),
        )

    def node_count(self, supernode: str, default: int) -> int:
        found = self.supernodes.get(supernode)
        return found.nodes if found else default

    def cards_of(self, node: str, default: int) -> int:
        found = self.nodes.get(node)
        return found.cards if found else default

    def jobs_at(self, node: str, supernode: str) -> list[str]:
        return [j.job_id for j in self.jobs.values() if j.running and j.covers(node, supernode)]

    def jobs_using(self, service: str) -> list[str]:
        return [j.job_id for j in self.jobs.values() if j.running and service in j.services]

    def assured(self, job_id: str, at: datetime) -> bool:
        return any(w.job_id == job_id and w.starts_at <= at < w.ends_at for w in self.windows)


def _racks(nodes: Mapping[str, Node]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for name, node in nodes.items():
        if node.rack:
            found.setdefault(node.rack.lower(), set()).add(name)
    return {rack: frozenset(names) for rack, names in found.items()}
