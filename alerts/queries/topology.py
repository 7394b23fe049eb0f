"""The fleet as the correlation engine sees it, kept in memory until the fleet changes."""

from collections import Counter, defaultdict
from collections.abc import Iterator

from alerts.correlation import (
    Facility,
    Job,
    Link,
    Node,
    Service,
    Supernode,
    Switch,
    Topology,
    Window,
)
from fleet import models as fleet
from fleet.models import Component, Kind
from fleet.states import PLACED_JOBS, State


def load() -> Topology:
    """Six queries and half a second for 12,288 cards: call it once per fleet version."""
    parts = list(
        Component.objects.exclude(kind__in=[Kind.CARD, Kind.REGION]).only(
            "path", "kind", "name", "region", "supernode", "node", "state", "address", "attributes"
        )
    )
    by_kind: dict[str, list[Component]] = defaultdict(list)
    for part in parts:
        by_kind[part.kind].append(part)
    feeds = {one.name: tuple(_names(one.attributes.get("fed_by"))) for one in by_kind["supernode"]}
    return Topology.build(
        nodes=_nodes(by_kind["node"], feeds),
        supernodes=_supernodes(by_kind["supernode"], by_kind["node"]),
        switches=[_switch(one) for one in by_kind["switch"]],
        services=_services(by_kind["service"]),
        facilities=_facilities(by_kind["facility"], by_kind["supernode"], by_kind["rack"]),
        links=[link for one in by_kind["link"] if (link := _link(one))],
        jobs=_jobs(),
        windows=[
            Window(job_id=w.job.job_id, starts_at=w.starts_at, ends_at=w.ends_at)
            for w in fleet.AssuredWindow.objects.select_related("job")
        ],
    )


def _names(value: object) -> list[str]:
    """Short names of a list of paths, or of the values of a mapping of them."""
    values = list(value.values()) if isinstance(value, dict) else value
    return [_short(str(one)) for one in values] if isinstance(values, list) else []


def _short(path: str) -> str:
    return path.rsplit("/", 1)[-1].split(":", 1)[-1]


def _nodes(nodes: list[Component], feeds: dict[str, tuple[str, ...]]) -> Iterator[Node]:
    cards = Counter(
        Component.objects.filter(kind=Kind.CARD).values_list("node", flat=True).order_by()
    )
    for one in nodes:
        addresses = [one.address, str(one.attributes.get("bmc", ""))]
        yield Node(
            name=one.name,
            path=one.path,
            region=one.region,
            supernode=one.supernode,
            rack=str(one.attributes.get("rack", "")),
            cards=cards[one.name] or 8,
            spare=one.state == State.SPARE,
            feeds=feeds.get(one.supernode, ()),
            addresses=tuple(address for address in addresses if address),
        )


def _supernodes(supernodes: list[Component], nodes: list[Component]) -> Iterator[Supernode]:
    counts = Counter(node.supernode for node in nodes)
    for one in supernodes:
        yield Supernode(
            name=one.name, path=one.path, region=one.region, nodes=counts[one.name] or 48
        )


def _switch(one: Component) -> Switch:
    return Switch(
        name=one.name,
        path=one.path,
        region=one.region,
        plane=str(one.attributes.get("plane", "")),
        supernode=one.supernode,
        sub_plane=str(one.attributes.get("sub_plane", "")),
    )


def _services(services: list[Component]) -> Iterator[Service]:
    parts: dict[str, list[str]] = defaultdict(list)
    tops = []
    for one in services:
        above, _, name = one.path.rpartition("/")
        if "service:" in above:
            parts[above].append(name)
        else:
            tops.append(one)
    for one in tops:
        storage = one.attributes.get("storage")
        yield Service(
            name=one.name,
            path=one.path,
            region=one.region,
            kind="storage" if storage else str(one.attributes.get("service_kind", "control")),
            parts=tuple(parts[one.path]),
        )


def _facilities(
    facilities: list[Component], supernodes: list[Component], racks: list[Component]
) -> Iterator[Facility]:
    fed: dict[str, set[str]] = defaultdict(set)
    fed_racks: dict[str, set[str]] = defaultdict(set)
    for one in supernodes:
        for name in _names(one.attributes.get("fed_by")):
            fed[name].add(one.name)
    for one in racks:
        for name in _names(one.attributes.get("fed_by")):
            fed_racks[name].add(one.name)
    for one in facilities:
        own = set(_names(one.attributes.get("feeds"))) | fed[one.name]
        yield Facility(
            name=one.name,
            path=one.path,
            region=one.region,
            supernodes=tuple(sorted(own)),
            racks=tuple(sorted(fed_racks[one.name])),
        )


def _link(one: Component) -> Link | None:
    ends = [str(end) for end in one.attributes.get("ends", [])]
    ports = [str(port) for port in one.attributes.get("ports", [])] + ["", ""]
    for near, far, port in zip(ends, ends[1:], ports[1:], strict=False):
        node, card = near.rsplit("/", 2)[-2:]
        return Link(node=node, card=card, switch=_short(far), port=port, path=one.path)
    return None


def _jobs() -> Iterator[Job]:
    running = fleet.Job.objects.filter(state__in=PLACED_JOBS).prefetch_related(
        "placements__component", "services__component"
    )
    for job in running:
        places = [placement.component for placement in job.placements.all()]
        yield Job(
            job_id=job.job_id,
            region=job.region,
            supernodes=frozenset(p.name for p in places if p.kind == Kind.SUPERNODE),
            nodes=frozenset(p.name for p in places if p.kind == Kind.NODE),
            cards=job.cards,
            ranks=job.ranks,
            services=frozenset(_short(use.component.path) for use in job.services.all()),
        )
