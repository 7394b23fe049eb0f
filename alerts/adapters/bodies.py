"""From bytes to something JSON, whatever the bytes are. Nothing here trusts its input."""

import json
import math
from collections.abc import Mapping
from typing import Any

from alerts.adapters.base import MalformedPayload

LONGEST_NUMBER = 400
CUT_MARK = "…[cut]"
# PROPOSAL: what is kept of one item beside the raw body, which is kept whole.
MAX_LABELS = 64
MAX_KEY = 128
MAX_LABEL = 2_048
MAX_ANNOTATION = 8_192


def decode(body: bytes) -> Any:
    """
    Invalid UTF-8 becomes U+FFFD, NUL is removed, NaN and infinities become None.

    :raises MalformedPayload: for what is not JSON, or nests deeper than the parser allows.
    """
    text = body.decode("utf-8-sig", "replace").strip()
    if not text:
        raise MalformedPayload("the body is empty")
    try:
        return json.loads(
            text,
            strict=False,
            parse_constant=_nothing,
            parse_float=_finite,
            parse_int=_bounded_int,
        )
    except RecursionError as problem:
        raise MalformedPayload("nested too deeply to be read") from problem
    except ValueError as problem:
        raise MalformedPayload(f"not JSON: {str(problem)[:200]}") from problem


def clean(text: str) -> str:
    """Without NUL, which PostgreSQL refuses, and without halves of surrogate pairs."""
    text = text.replace("\x00", "")
    return text if text.isprintable() else text.encode("utf-8", "replace").decode("utf-8")


def as_text(value: object) -> str:
    """A label's value as text; what is not text is shown as its JSON."""
    if isinstance(value, str):
        return clean(value)
    if value is None:
        return ""
    try:
        return clean(json.dumps(value, ensure_ascii=False, default=str))
    except RecursionError:
        return CUT_MARK


def as_mapping(value: object) -> Mapping[str, Any]:
    """`value` if it is an object, else an empty one: absence and wrong types are the same."""
    return value if isinstance(value, Mapping) else {}


def texts(value: object, *, longest: int) -> tuple[dict[str, str], bool]:
    """Labels or annotations as text, and whether something had to be cut."""
    kept: dict[str, str] = {}
    was_cut = False
    for key, raw in as_mapping(value).items():
        if len(kept) == MAX_LABELS:
            return kept, True
        text, name = as_text(raw), clean(key)
        if len(text) > longest:
            text, was_cut = text[:longest] + CUT_MARK, True
        if len(name) > MAX_KEY:
            name, was_cut = name[:MAX_KEY], True
        kept[name] = text
    return kept, was_cut


def _nothing(_: str) -> None:
    return None


def _finite(text: str) -> float | None:
    number = float(text)
    return number if math.isfinite(number) else None


def _bounded_int(text: str) -> int | str:
    return int(text) if len(text) <= LONGEST_NUMBER else text
