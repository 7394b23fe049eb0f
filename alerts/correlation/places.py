"""Where an alert points: the component's path in the fleet, or one made of its labels."""

import re
from collections.abc import Mapping

from alerts.correlation.facts import Place
from alerts.correlation.labels import LabelMap, Read, card_of, host
from alerts.correlation.topology import Topology

_NOT_A_SERVICE = re.compile(r"export|prometheus|metrics|kubelet|kube-state|^/+$|^/dev|^/boot|^/var")
_NOT_IN_A_PATH = re.compile(r"[^a-z0-9._:-]+")
_NOT_ON_A_NODE = frozenset({"service", "facility", "line"})
_VAGUE = frozenset(
    {"instance", "exported_instance", "resource", "resourceName", "address", "host_ip", "ident"}
)


class Locator:
    """Turns labels into a Place for one topology. `scope` is what the alert's sign is about."""

    def __init__(self, topology: Topology, default_region: str = "") -> None:
        self.topology = topology
        self.default_region = default_region

    def locate(
        self, labels: Mapping[str, str], *, scope: str, plane: str, label_map: LabelMap
    ) -> Place:
        said = self._said(label_map.read(labels), labels, scope, plane, label_map)
        path, kind, known = self._path(said, scope)
        return Place(path=path, kind=kind, known=known, **said)

    def _said(
        self,
        read: Read,
        labels: Mapping[str, str],
        scope: str,
        plane: str,
        label_map: LabelMap,
    ) -> dict[str, str]:
        switch, port = self._switch(read, scope, label_map)
        node = "" if scope in _NOT_ON_A_NODE else self._node(read, scope, label_map)
        if switch and node == switch:
            node = ""
        found = self.topology.nodes.get(node)
        service, part = self._service(read, scope, label_map)
        said = {
            "region": (found.region if found else "") or read.first("region").lower(),
            "supernode": self._supernode(node, read, label_map),
            "node": node,
            "card": card_of(read, two_dies=label_map.two_dies) if node else "",
            "plane": read.first("plane").lower() or plane,
            "sub_plane": read.first("sub_plane").lower(),
            "switch": switch,
            "port": port,
            "service": service,
            "part": part,
            "facility": read.first("facility"),
            "feed": read.first("feed"),
            "rack": (found.rack if found else "") or read.first("rack"),
            "line": _line(read, scope),
            "job_id": read.first("job_id") or self._job_of_pod(labels),
        }
        if not said["region"]:
            said["region"] = self._region(said) or self.default_region
        return said

    def _supernode(self, node: str, read: Read, label_map: LabelMap) -> str:
        found = self.topology.nodes.get(node)
        if found and found.supernode:
            return found.supernode.lower()
        name = read.first("supernode").lower()
        if node and not name and (shape := re.match(label_map.node_pattern, node)):
            return shape.group("supernode")
        return name

    def _node(self, read: Read, scope: str, label_map: LabelMap) -> str:
        """The first host that the fleet knows; else the first one told.

        `instance` and its like often name an exporter. Where the alert says otherwise what it is
        about (a job, a switch, a plane), only a host that the fleet knows counts there.
        """
        told = bool(read.first("switch")) and not card_of(read, two_dies=label_map.two_dies)
        told = told or scope == "job" or (scope == "plane" and bool(read.first("supernode")))
        first = ""
        for key, raw in read.all("node"):
            name = host(raw, label_map.suffixes)
            name = self.topology.aliases.get(name, name).lower()
            if name in self.topology.nodes:
                return name
            if not first and not (told and key in _VAGUE):
                first = name
        return first

    def _switch(self, read: Read, scope: str, label_map: LabelMap) -> tuple[str, str]:
        switch = host(read.first("switch"), label_map.suffixes)
        port = read.first("port")
        if switch:
            return switch, port
        if peer := read.first("peer"):
            name, _, tail = peer.partition(":")
            return host(name, label_map.suffixes), tail or read.first("peer_port")
        if scope in ("switch", "link"):
            name = self._node(read, scope, label_map)
            if name in self.topology.switches or (
                scope == "switch" and name not in self.topology.nodes
            ):
                return name, port
        return "", ""

    def _service(self, read: Read, scope: str, label_map: LabelMap) -> tuple[str, str]:
        if scope not in ("service", "client", "monitoring"):
            return "", ""
        part = host(read.first("part"), label_map.suffixes)
        for _, raw in read.all("service"):
            name = raw.lower()
            if not _NOT_A_SERVICE.search(name):
                return _NOT_IN_A_PATH.sub("-", name).strip("-"), part
        if scope == "service" and not part:
            part = self._node(read, scope, label_map)
        return "", part

    def _job_of_pod(self, labels: Mapping[str, str]) -> str:
        pod = str(labels.get("pod") or "")
        while pod and pod not in self.topology.jobs:
            pod = pod.rpartition("-")[0]
        return pod

    def _region(self, said: Mapping[str, str]) -> str:
        known = (
            self.topology.supernodes.get(said["supernode"]),
            self.topology.switches.get(said["switch"]),
            self.topology.services.get(said["service"]),
            self.topology.facilities.get(said["facility"].lower()),
            self.topology.jobs.get(said["job_id"]),
        )
        return next((row.region for row in known if row and row.region), "")

    def _path(self, said: Mapping[str, str], scope: str) -> tuple[str, str, bool]:
        """The component's path, its kind, and whether the fleet knows it."""
        here, topology = said["region"], self.topology
        if scope == "facility":
            return _facility_path(said, topology)
        if scope == "line" and said["line"]:
            return f"line:{said['line']}", "line", False
        if scope in ("service", "monitoring") and (said["service"] or said["part"]):
            name = said["service"] or said["part"]
            row = topology.services.get(name)
            return row.path if row else _join(here, f"service:{name}"), "service", bool(row)
        if said["node"]:
            found = topology.nodes.get(said["node"])
            path = found.path if found else _join(here, said["supernode"], said["node"])
            return _join(path, said["card"]), "card" if said["card"] else "node", bool(found)
        if said["switch"]:
            switch = topology.switches.get(said["switch"])
            path = switch.path if switch else _join(here, f"switch:{said['switch']}")
            return path, "switch", bool(switch)
        return _wide_path(said, topology)


def _line(read: Read, scope: str) -> str:
    line = read.first("line").lower()
    if line or scope != "line":
        return line
    ends = {read.first("region").lower(), read.first("target_region").lower()} - {""}
    return "-".join(sorted(ends)) if len(ends) == 2 else ""


def _facility_path(said: Mapping[str, str], topology: Topology) -> tuple[str, str, bool]:
    name = said["facility"]
    if name:
        row = topology.facilities.get(name.lower())
        return row.path if row else _join(said["region"], f"facility:{name}"), "facility", bool(row)
    if said["rack"]:
        return _join(said["region"], f"facility:{said['rack']}"), "rack", False
    return _wide_path(said, topology)


def _wide_path(said: Mapping[str, str], topology: Topology) -> tuple[str, str, bool]:
    supernode = topology.supernodes.get(said["supernode"])
    base = supernode.path if supernode else _join(said["region"], said["supernode"])
    if said["plane"] and (said["supernode"] or said["sub_plane"]):
        return _join(base, f"plane:{said['plane']}", said["sub_plane"]), "plane", bool(supernode)
    if said["supernode"]:
        return base, "supernode", bool(supernode)
    return "", "", False


def _join(*parts: str) -> str:
    return "/".join(part for part in parts if part)
