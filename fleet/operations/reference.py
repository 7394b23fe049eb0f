"""The shipped tables: failure and event classes, fault codes, indicators. Loading is repeatable."""

import csv
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import yaml
from django.db import models, transaction

from fleet.models import EventClass, FailureClass, FaultCode, Indicator, ReferenceVersion

DATA = Path(__file__).resolve().parents[1] / "data"
# Not a fault: the chip says that its start-up is done, which ends an earlier fault.
START_UP_DONE = "8C2FA009"
NOT_IN_FAULT_CODE_JSON = "(not in faultCode.json)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    table: str
    rows: int
    new_version: bool


def load(*, at: datetime) -> list[Loaded]:
    """
    Bring the shipped tables to the shipped content, and note each content that is new here.

    Rows that are no longer shipped stay: old incidents name them.
    """
    return [
        _load("failure_classes", "failure_classes.yaml", FailureClass.objects, dict, at),
        _load("event_classes", "event_classes.yaml", EventClass.objects, _event_class, at),
        _load("fault_codes", "fault_codes.csv", FaultCode.objects, _fault_code, at),
        _load("indicators", "indicators.csv", Indicator.objects, _indicator, at),
    ]


@transaction.atomic
def _load(
    table: str,
    file: str,
    objects: models.Manager[Any],
    row: Callable[[Mapping[str, Any]], dict[str, Any]],
    at: datetime,
) -> Loaded:
    content = (DATA / file).read_bytes()
    version, new = ReferenceVersion.objects.get_or_create(
        table=table,
        digest=hashlib.sha256(content).hexdigest(),
        defaults={"rows": 0, "loaded_at": at},
    )
    shipped = [row(values) for values in _read(file, content)]
    rows = [objects.model(**values) for values in shipped]
    objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["code"],
        update_fields=[name for name in shipped[0] if name != "code"],
    )
    if new:
        version.rows = len(rows)
        version.save(update_fields=["rows"])
    return Loaded(table=table, rows=len(rows), new_version=new)


def _read(file: str, content: bytes) -> list[dict[str, Any]]:
    text = content.decode("utf-8-sig")
    if file.endswith(".csv"):
        return list(csv.DictReader(text.splitlines()))
    return list(yaml.safe_load(text))


def _event_class(values: Mapping[str, Any]) -> dict[str, Any]:
    rest = {name: value for name, value in values.items() if name != "failure_class"}
    return {**rest, "failure_class_id": values["failure_class"]}


def _fault_code(values: Mapping[str, Any]) -> dict[str, Any]:
    """`proposed_event_class` holds E1 to E7, or `clear` and `storage`, which are no class."""
    proposed = values["proposed_event_class"]
    level = values["default_handling_level"]
    return {
        "code": values["code"],
        "name_en": values["name_en"] or values["name_zh"],
        "name_zh": values["name_zh"] or values["name_en"],
        "module": values["module"],
        "fault_class": values["faultdiag_class"],
        "event_class_id": proposed if proposed[:1] == "E" else None,
        "clears": proposed == "clear" or values["code"] == START_UP_DONE,
        "handling_level": "" if level == NOT_IN_FAULT_CODE_JSON else level,
        "frequency_rule": values["frequency_rule"],
        "source": values["source"],
        "proposal": True,
    }


def _indicator(values: Mapping[str, Any]) -> dict[str, Any]:
    rest = {name: value for name, value in values.items() if name not in ("id", "npu_event_class")}
    proposal = values["name_kind"] == "proposed" or "proposal" in values["threshold_basis"]
    return {
        **rest,
        "code": values["id"],
        "event_class": values["npu_event_class"],
        "proposal": proposal,
    }
