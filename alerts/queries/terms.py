"""The words an alert is found by: label values whole and in parts, CJK runs in pairs."""

import re
import unicodedata
from collections.abc import Iterable, Mapping

WORD = re.compile(r"[0-9a-z]+")
CJK = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]+")
LONGEST = 120
MOST = 200


def folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).lower()


def terms(name: str, labels: Mapping[str, str], extra: Iterable[str] = ()) -> list[str]:
    """Sorted and distinct, at most 200, each at most 120 characters."""
    found: set[str] = set()
    for value in (name, *labels.values(), *extra):
        found |= parts(value)
        if len(found) >= MOST:
            break
    return sorted(found)[:MOST]


def parts(text: str) -> set[str]:
    """A value whole, each of its words, and each pair of its Chinese characters."""
    text = folded(text).strip()
    if not text:
        return set()
    whole = {text[:LONGEST]} if len(text) <= LONGEST else set()
    words = {word[:LONGEST] for word in WORD.findall(text)}
    return whole | words | {pair for run in CJK.findall(text) for pair in pairs(run)}


def pairs(run: str) -> list[str]:
    return [run] if len(run) == 1 else [run[i : i + 2] for i in range(len(run) - 1)]


def tsquery(search: str) -> str:
    """A query that wants every word of `search`, each as the beginning of a term."""
    wanted: list[str] = []
    for token in folded(search)[:400].split():
        chinese = [pair for run in CJK.findall(token) for pair in pairs(run)]
        rest = CJK.sub(" ", token).split() if chinese else [token]
        wanted += [*chinese, *rest]
    return " & ".join(_quoted(word) + ":*" for word in wanted[:12])


def _quoted(word: str) -> str:
    return "'" + word.replace("\\", "\\\\").replace("'", "''")[:LONGEST] + "'"
