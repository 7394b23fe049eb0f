"""Codes of verdicts as sentences, from `data/reasons.yaml`. No framework: the caller says the language."""

from collections.abc import Mapping
from typing import Any

import yaml


class Words:
    """`say` never fails: a code without a sentence shows itself and its parameters."""

    def __init__(self, text: str) -> None:
        self._rows: dict[str, dict[str, str]] = yaml.safe_load(text)

    def __contains__(self, code: str) -> bool:
        return code in self._rows

    def say(self, what: Mapping[str, Any], language: str) -> str:
        code, params = str(what.get("code", "")), dict(what.get("params") or {})
        row = self._rows.get(code)
        if row is None:
            return _bare(code, params)
        try:
            return row["zh" if language.startswith("zh") else "en"] % params
        except (KeyError, ValueError, TypeError):
            return _bare(code, params)


def _bare(code: str, params: Mapping[str, Any]) -> str:
    return " ".join([code, *(f"{key} {value}" for key, value in params.items())]).strip()
