"""The shipped procedure files: YAML to the one JSON shape that a version stores."""

import hashlib
import json
from pathlib import Path
from typing import Any

import yaml

SHIPPED = Path(__file__).resolve().parents[1] / "data"


def read_all(folder: Path = SHIPPED) -> list[dict[str, Any]]:
    """Every procedure of the folder, each with what all of them share, in order of file name."""
    common = _load(folder / "common.yaml")
    files = sorted(path for path in folder.glob("*.yaml") if path.name != "common.yaml")
    return [{**_load(path), "common": common} for path in files]


def checksum(content: dict[str, Any]) -> str:
    """Of the meaning, not of the spacing: SHA-256 of the sorted JSON."""
    text = json.dumps(content, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def _load(path: Path) -> dict[str, Any]:
    content = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    if not isinstance(content, dict):
        raise TypeError(f"{path.name}: not a mapping")
    return content
