"""Fault codes: how senders write them, and what the table says about them."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

_HEX = re.compile(
    r"(?<![0-9a-zA-Z])(?:0x)?((?:[48]|28|62|04|2C|5D|56|01|12)[0-9A-Fa-f]{6,7})(?![0-9a-zA-Z])"
)
_XID = re.compile(
    r"(?i)\bxid(?:\s*\(pci[^)]*\))?[^0-9a-z]{0,6}(?:errors?)?[^0-9a-z]{0,4}(\d{1,3})\b"
)
_KEYS = (
    "fault_code",
    "faultCode",
    "faultCodes",
    "error_code",
    "errorcode",
    "err_code",
    "code",
    "alarm_code",
    "event_id",
)
_KEY_SET = frozenset(_KEYS)
_XID_KEYS = frozenset({"xid", "XID", "Xid", "xid_code"})

XID_CLASSES: dict[int, str] = {
    **dict.fromkeys((48, 63, 64, 92, 94, 95, 140, 160), "E3"),
    **dict.fromkeys((79, 54, 56), "E1"),
    **dict.fromkeys((38, 39, 121), "E2"),
    **dict.fromkeys((60, 62, 110), "E4"),
    **dict.fromkeys((72, 74, 137, 144, 145, 146, 147, 148, 149, 150), "E5"),
    **dict.fromkeys((61, 109, 119, 120, 136, 143), "E6"),
    **dict.fromkeys((8, 13, 31, 32, 43, 45, 46, 68, 69), "E7"),
}


@dataclass(frozen=True, slots=True)
class FaultCode:
    code: str
    event_class: str = ""
    handling_level: str = ""


class CodeTable:
    """Look-up by normalised code. Unknown codes have no class; rules then decide by name."""

    def __init__(self, codes: Iterable[FaultCode] = ()) -> None:
        self._rows = {normalise(row.code): row for row in codes}

    def find(self, code: str) -> FaultCode:
        if code.startswith("XID"):
            number = code[3:]
            return FaultCode(code, XID_CLASSES.get(int(number), "E7") if number.isdigit() else "")
        found = self._rows.get(code)
        if found is not None:
            return found
        return FaultCode(code, "E5" if code.startswith("[0x") else "")


def normalise(code: str) -> str:
    """`0x80e01801` and `80E01801` are one code; bracketed switch codes keep their own spelling."""
    text = code.strip()
    if text.startswith("["):
        return text.lower()
    if text[:2].lower() == "0x" and re.fullmatch(r"[0-9A-Fa-f]{8}", text[2:]):
        text = text[2:]
    return text.upper() if re.fullmatch(r"[0-9A-Fa-f]{8,9}", text) else text


def code_in(name: str, labels: Mapping[str, str], text: str) -> str:
    """The first fault code an alert gives: by label, then an Xid, then written in its text."""
    for key in _XID_KEYS & labels.keys():
        value = str(labels[key] or "").strip()
        if value.isdigit() and value != "0":
            return f"XID{value}"
    told = _KEY_SET & labels.keys()
    for key in sorted(told, key=_KEYS.index) if len(told) > 1 else told:
        code = _code_by_label(key, str(labels[key] or ""), "xid" in name.lower())
        if code:
            return code
    if "xid" in name.lower() or "xid" in text.lower():
        found = _XID.search(name) or _XID.search(text)
        if found:
            return f"XID{int(found.group(1))}"
    written = _HEX.search(text)
    return normalise(written.group(1)) if written else ""


@lru_cache(maxsize=4096)
def _code_by_label(key: str, raw: str, about_xid: bool) -> str:
    value = raw.strip()
    if value and not value.startswith("["):
        value = re.split(r"[,;\s]+", value.strip("[]"))[0]
    if not value or value.lower() in ("0", "none", "null", "na"):
        return ""
    if key == "err_code" and value.isdigit() and about_xid:
        return f"XID{int(value)}"
    if re.fullmatch(r"(?i)xid\d{1,3}", value):
        return f"XID{int(value[3:])}"
    return normalise(value)
