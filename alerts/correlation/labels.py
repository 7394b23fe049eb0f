"""Labels to a place, by a map that each source may override."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from alerts.correlation.facts import Place
from alerts.correlation.topology import Topology

DEFAULT_KEYS: dict[str, tuple[str, ...]] = {
    "region": ("region", "regionId", "datacenter", "data_center", "site"),
    "supernode": ("supernode", "super_node", "superpod", "super_pod", "scalable_unit"),
    "node": (
        "node",
        "Hostname",
        "hostname",
        "host",
        "host_name",
        "nodename",
        "node_name",
        "kubernetes_node",
        "exported_node",
        "target_ident",
        "ident",
        "machine",
        "exported_instance",
        "instance",
        "resourceName",
        "resource",
        "address",
        "host_ip",
    ),
    "card": ("npu", "gpu", "card", "card_id", "npu_id", "gpu_id", "cardID", "gpu_index"),
    "device": ("device", "device_id", "deviceID", "die"),
    "plane": ("plane", "fabric_plane", "network_plane"),
    "sub_plane": ("sub_plane", "subplane"),
    "switch": ("switch", "switch_name", "leaf", "spine", "sysName", "fabric"),
    "port": ("port", "interface", "ifName", "ifDescr", "hca_port"),
    "peer": ("peer", "remote", "neighbor", "neighbour", "lldp_peer", "peer_switch"),
    "peer_port": ("peer_port", "remote_port", "neighbor_port"),
    "service": (
        "fs",
        "filesystem",
        "fs_name",
        "fsname",
        "pfs",
        "storage",
        "nfs_server",
        "bucket",
        "service_name",
        "service",
        "mountpoint",
    ),
    "part": ("mds", "oss", "ost", "mdt", "osd", "component", "daemon"),
    "facility": ("pdu", "ups", "cdu", "crac", "chiller", "breaker", "transformer", "facility"),
    "feed": ("feed", "power_feed"),
    "rack": ("rack", "rack_id", "cabinet"),
    "line": ("line", "circuit", "dedicated_line", "leased_line", "wan_link"),
    "target_region": ("target_region", "peer_region", "remote_region", "dst_region"),
    "job_id": (
        "job_id",
        "train_job",
        "training_job",
        "jobid",
        "job_name",
        "jobName",
        "task_id",
        "slurm_job_id",
        "acjob",
        "vcjob",
        "pytorchjob",
        "group_job",
    ),
}
_NOT_A_SERVICE = re.compile(r"export|prometheus|metrics|kubelet|kube-state|^/+$|^/dev|^/boot|^/var")
_HEX_PATH = re.compile(r"[^a-z0-9._:-]+")


@dataclass(frozen=True, slots=True)
class LabelMap:
    """Which labels say what, first present wins. `suffixes` end a host's management names.

    `two_dies` sources count devices, two to a card. `node_pattern` finds the supernode in a name.
    """

    keys: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    suffixes: tuple[str, ...] = ("-bmc", "-ipmi", "-idrac", "-ilo", "-mgmt", "-oob")
    two_dies: bool = True
    node_pattern: str = r"^(?P<supernode>[a-z]{1,6}\d{1,4})-n\d{1,4}$"

    def all_keys(self, what: str) -> tuple[str, ...]:
        return (*self.keys.get(what, ()), *DEFAULT_KEYS[what])

    def value(self, labels: Mapping[str, str], what: str) -> str:
        for key in self.all_keys(what):
            found = labels.get(key)
            if found not in (None, ""):
                return str(found).strip()
        return ""

    def __hash__(self) -> int:
        return id(self)


DEFAULT_MAP = LabelMap()


@lru_cache(maxsize=65536)
def host(raw: str, suffixes: tuple[str, ...]) -> str:
    """A host name without case, scheme, port, domain and management suffix. Addresses stay whole."""
    name = raw.strip().lower().rsplit("//", 1)[-1].split("/", 1)[0]
    if name.startswith("["):
        return name[1:].split("]", 1)[0]
    if name.count(":") == 1:
        name = name.split(":", 1)[0]
    if name.count(":") > 1 or re.fullmatch(r"[0-9.]+", name):
        return name
    name = name.split(".", 1)[0]
    for suffix in suffixes:
        if name.endswith(suffix) and len(name) > len(suffix):
            return name[: -len(suffix)]
    return name


def card_of(labels: Mapping[str, str], label_map: LabelMap) -> str:
    """A card's number: `npu` or `gpu` as said, a die divided by two; "" when none is a number."""
    raw = label_map.value(labels, "card")
    digits = _number(raw)
    if digits:
        return digits
    device = _number(label_map.value(labels, "device"))
    if not device:
        return ""
    if not label_map.two_dies or "GPU_I_ID" in labels or "UUID" in labels:
        return device
    return str(int(device) // 2)


def _number(raw: str) -> str:
    found = re.fullmatch(r"(?:npu|gpu|card|nvidia|davinci|卡)?[-_ #:]?0*(\d{1,3})", raw.strip().lower())
    return found.group(1) if found else ""


class Locator:
    """Turns labels into a Place for one topology. `scope` is what the alert's sign is about."""

    def __init__(self, topology: Topology, default_region: str = "") -> None:
        self.topology = topology
        self.default_region = default_region

    def locate(
        self, labels: Mapping[str, str], *, scope: str, plane: str, label_map: LabelMap
    ) -> Place:
        said = self._said(labels, scope, plane, label_map)
        path, kind, known = self._path(said, scope)
        return Place(path=path, kind=kind, known=known, **said)

    def _said(
        self, labels: Mapping[str, str], scope: str, plane: str, label_map: LabelMap
    ) -> dict[str, str]:
        get = label_map.value
        switch, port = self._switch(labels, scope, label_map)
        node = "" if scope in _NOT_ON_A_NODE else self._node(labels, label_map)
        if switch and node == switch:
            node = ""
        found = self.topology.nodes.get(node)
        supernode = found.supernode if found else get(labels, "supernode").lower()
        if node and not supernode and (shape := re.match(label_map.node_pattern, node)):
            supernode = shape.group("supernode")
        service, part = self._service(labels, scope, label_map)
        said = {
            "region": (found.region if found else "") or get(labels, "region").lower(),
            "supernode": supernode.lower(),
            "node": node,
            "card": card_of(labels, label_map) if node else "",
            "plane": get(labels, "plane").lower() or plane,
            "sub_plane": get(labels, "sub_plane").lower(),
            "switch": switch,
            "port": port,
            "service": service,
            "part": part,
            "facility": get(labels, "facility"),
            "feed": get(labels, "feed"),
            "rack": (found.rack if found else "") or get(labels, "rack"),
            "line": self._line(labels, scope, label_map),
            "job_id": self._job(labels, label_map),
        }
        said["region"] = said["region"] or self._region(said) or self.default_region
        return said

    def _node(self, labels: Mapping[str, str], label_map: LabelMap) -> str:
        first = ""
        for key in label_map.all_keys("node"):
            raw = labels.get(key)
            if not raw:
                continue
            name = host(str(raw), label_map.suffixes)
            name = self.topology.aliases.get(name, name).lower()
            if name in self.topology.nodes:
                return name
            first = first or name
        return first

    def _switch(
        self, labels: Mapping[str, str], scope: str, label_map: LabelMap
    ) -> tuple[str, str]:
        switch = host(label_map.value(labels, "switch"), label_map.suffixes)
        port = label_map.value(labels, "port")
        if switch:
            return switch, port
        peer = label_map.value(labels, "peer")
        if peer:
            name, _, tail = peer.partition(":")
            tail = tail or label_map.value(labels, "peer_port")
            return host(name, label_map.suffixes), tail
        if scope in ("switch", "link"):
            name = self._node(labels, label_map)
            if name in self.topology.switches or (
                scope == "switch" and name not in self.topology.nodes
            ):
                return name, port
        return "", port if scope == "link" else ""

    def _service(
        self, labels: Mapping[str, str], scope: str, label_map: LabelMap
    ) -> tuple[str, str]:
        if scope not in ("service", "client", "monitoring"):
            return "", ""
        part = host(label_map.value(labels, "part"), label_map.suffixes)
        for key in label_map.all_keys("service"):
            raw = str(labels.get(key) or "").strip().lower()
            if raw and not _NOT_A_SERVICE.search(raw):
                return _HEX_PATH.sub("-", raw).strip("-"), part
        if scope == "service" and not part:
            part = self._node(labels, label_map)
        return "", part

    def _line(self, labels: Mapping[str, str], scope: str, label_map: LabelMap) -> str:
        line = label_map.value(labels, "line").lower()
        if line or scope != "line":
            return line
        ends = {
            label_map.value(labels, "region").lower(),
            label_map.value(labels, "target_region").lower(),
        } - {""}
        return "-".join(sorted(ends)) if len(ends) == 2 else ""

    def _job(self, labels: Mapping[str, str], label_map: LabelMap) -> str:
        job = label_map.value(labels, "job_id")
        if job:
            return job
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
        if scope == "facility" and (said["facility"] or not said["node"]):
            return facility_path(said, topology)
        if scope == "line" and said["line"]:
            return f"line:{said['line']}", "line", False
        if scope in ("service", "monitoring") and (said["service"] or said["part"]):
            name = said["service"] or said["part"]
            row = topology.services.get(name)
            return row.path if row else _join(here, f"service:{name}"), "service", bool(row)
        if said["node"]:
            found = topology.nodes.get(said["node"])
            path = found.path if found else _join(here, said["supernode"], said["node"])
            kind = "card" if said["card"] else "node"
            return _join(path, said["card"]), kind, bool(found)
        if said["switch"]:
            switch = topology.switches.get(said["switch"])
            path = switch.path if switch else _join(here, f"switch:{said['switch']}")
            return path, "switch", bool(switch)
        return _wide_path(said, topology)


_NOT_ON_A_NODE = frozenset({"service", "facility_only", "line"})


def facility_path(said: Mapping[str, str], topology: Topology) -> tuple[str, str, bool]:
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
