"""The site's policies and rules: what it made of them, else what is shipped in `warroom/data`."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml

from warroom.models import Policy

DATA = Path(__file__).resolve().parents[1] / "data"


@cache
def shipped(name: str) -> dict[str, Any]:
    document: dict[str, Any] = yaml.safe_load((DATA / f"{name}.yaml").read_text("utf-8"))
    return document


def current(name: str) -> dict[str, Any]:
    """`name`: policies or rules."""
    own = Policy.objects.filter(pk=name).first()
    return own.body if own else shipped(name)
