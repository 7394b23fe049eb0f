"""Labels to a place, by a map that each source may override."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

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
_CARD = re.compile(r"(?:npu|gpu|card|nvidia|davinci|卡)?[-_ #:]?0*(\d{1,3})")


@dataclass(frozen=True, slots=True)
class LabelMap:
    """Which labels say what, first present wins. `suffixes` end a host's management names.

    `two_dies` sources count devices, two to a card. `node_pattern` finds the supernode in a name.
    """

    keys: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    suffixes: tuple[str, ...] = ("-bmc", "-ipmi", "-idrac", "-ilo", "-mgmt", "-oob")
    two_dies: bool = True
    node_pattern: str = r"^(?P<supernode>[a-z]{1,6}\d{1,4})-n\d{1,4}$"
    _says: dict[str, list[tuple[str, int]]] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )
    _plans: dict[tuple[str, ...], dict[str, list[str]]] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )

    def __post_init__(self) -> None:
        for what, defaults in DEFAULT_KEYS.items():
            for rank, key in enumerate((*self.keys.get(what, ()), *defaults)):
                self._says.setdefault(key, []).append((what, rank))

    def read(self, labels: Mapping[str, Any]) -> "Read":
        """What the labels say, the preferred spelling of each thing first."""
        names = tuple(labels)
        plan = self._plans.get(names)
        if plan is None:
            plan = self._plan(names)
            if len(self._plans) < 10_000:
                self._plans[names] = plan
        return Read(plan, labels)

    def _plan(self, names: tuple[str, ...]) -> dict[str, list[str]]:
        """Which of these labels to look at for each thing, in order."""
        ranked: dict[str, list[tuple[int, str]]] = {}
        for key in names:
            for what, rank in self._says.get(key, ()):
                ranked.setdefault(what, []).append((rank, key))
        return {what: [key for _, key in sorted(rows)] for what, rows in ranked.items()}


class Read:
    """The values that labels give, by what they are about."""

    __slots__ = ("_labels", "_plan")

    def __init__(self, plan: Mapping[str, list[str]], labels: Mapping[str, Any]) -> None:
        self._plan, self._labels = plan, labels

    def first(self, what: str) -> str:
        for key in self._plan.get(what, ()):
            value = self._labels[key]
            if value is not None and value != "":
                return str(value).strip()
        return ""

    def all(self, what: str) -> list[tuple[str, str]]:
        rows = ((key, self._labels[key]) for key in self._plan.get(what, ()))
        return [
            (key, str(value).strip()) for key, value in rows if value is not None and value != ""
        ]


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


def card_of(said: Read, *, two_dies: bool) -> str:
    """A card's number: `npu` or `gpu` as said, a die divided by two; "" when none is a number."""
    digits = _number(said.first("card"))
    if digits:
        return digits
    raw = said.first("device")
    device = _number(raw)
    if device and two_dies and not raw.lower().startswith("nvidia"):
        return str(int(device) // 2)
    return device


@lru_cache(maxsize=4096)
def _number(raw: str) -> str:
    found = _CARD.fullmatch(raw.lower())
    return found.group(1) if found else ""
