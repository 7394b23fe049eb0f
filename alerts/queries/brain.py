"""The classifier with its topology, rules and codes: built once, kept until one of them changes."""

import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db.models import Count, Max, Sum

from alerts.correlation import (
    CodeTable,
    FaultCode,
    LabelMap,
    Reader,
    Rules,
    Settings,
    Topology,
    compile_rules,
    load_rules,
)
from alerts.correlation.labels import DEFAULT_MAP
from alerts.correlation.rules import rules_of
from alerts.models import Rule, Source
from alerts.queries import topology
from fleet import models as fleet
from fleet.queries import fleet_version

SLOW_LOAD_S = 0.2
SHIPPED_RULES = Path(__file__).resolve().parents[1] / "data" / "rules.yaml"


@dataclass(frozen=True)
class Brain:
    """All that classification and correlation need, of one version."""

    version: tuple[object, ...]
    topology: Topology
    reader: Reader
    settings: Settings
    label_maps: dict[int, LabelMap]

    def label_map(self, source_id: int) -> LabelMap:
        return self.label_maps.get(source_id, DEFAULT_MAP)


_lock = threading.Lock()
_kept: list[Brain] = []
_loading = [0.0, 0.0]


def current() -> Brain:
    """Two small queries while nothing changed."""
    version = _version()
    with _lock:
        if not _kept or (_kept[0].version != version and not _too_soon(version)):
            _kept[:] = [_build(version, _kept[0] if _kept else None)]
        return _kept[0]


def _too_soon(version: tuple[object, ...]) -> bool:
    """
    A storm that names unknown hosts changes the fleet with every batch: a large tree is not
    read again for each of them, but spends at most a tenth of the time on it.
    """
    only_fleet = _kept[0].version[1:] == version[1:]
    took, ended = _loading
    return only_fleet and took > SLOW_LOAD_S and time.monotonic() - ended < 10 * took


def _tree() -> Topology:
    begun = time.monotonic()
    tree = topology.load()
    ended = time.monotonic()
    _loading[:] = [ended - begun, ended]
    return tree


def _version() -> tuple[object, ...]:
    rules = Rule.objects.aggregate(n=Count("id"), last=Max("id"), edits=Sum("version"))
    sources = Source.objects.aggregate(last=Max("id"), edits=Sum("version"))
    codes = fleet.ReferenceVersion.objects.aggregate(last=Max("id"))
    return fleet_version(), *rules.values(), *sources.values(), *codes.values()


def _build(version: tuple[object, ...], old: Brain | None) -> Brain:
    same_fleet = old is not None and old.version[0] == version[0]
    tree = old.topology if old is not None and same_fleet else _tree()
    codes = fleet.FaultCode.objects.values_list("code", "event_class_id", "handling_level")
    table = CodeTable(FaultCode(code, event or "", level) for code, event, level in codes)
    return Brain(
        version=version,
        topology=tree,
        reader=Reader(topology=tree, rules=rules(), codes=table),
        settings=Settings(),
        label_maps=_label_maps(),
    )


def rules() -> Rules:
    """The enabled rows in order; the shipped file while the table is empty."""
    rows = list(
        Rule.objects.filter(enabled=True)
        .order_by("order", "id")
        .values_list("name_en", "condition", "outcome")
    )
    if not rows:
        return load_rules(SHIPPED_RULES.read_text("utf-8"))
    given = [{"name": name, "when": when, "then": then} for name, when, then in rows]
    return compile_rules(rules_of(given))


def _label_maps() -> dict[int, LabelMap]:
    stored = Source.objects.exclude(label_map={}).values_list("id", "label_map")
    return {source_id: label_map_of(given) for source_id, given in stored}


def label_map_of(given: dict[str, Any]) -> LabelMap:
    """A source's own labels before the defaults; `suffixes`, `two_dies`, `node_pattern` beside."""
    base = LabelMap()
    keys = {
        what: tuple(str(one) for one in names)
        for what, names in given.items()
        if isinstance(names, list) and what != "suffixes"
    }
    return LabelMap(
        keys=keys,
        suffixes=tuple(str(one) for one in given.get("suffixes", base.suffixes)),
        two_dies=bool(given.get("two_dies", base.two_dies)),
        node_pattern=str(given.get("node_pattern", base.node_pattern)),
    )
