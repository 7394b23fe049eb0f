"""Whether facts make an incident, and of which tier. Pure: facts and rules in, a verdict out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    outcome: str
    tier: int
    because: dict[str, str]
    tier_because: dict[str, str]


def verdict(*, facts: Mapping[str, Any], classified: bool, rules: Mapping[str, Any]) -> Verdict:
    """
    What the rules make of an alert group: record, propose or open, and the tier.

    Absent facts count as false or 0. The first rule that holds decides.
    """
    known = {**facts, "classified": classified}
    opened = _first(rules["incident"], known)
    tiered = _first(rules["tier"], known)
    return Verdict(
        outcome=str(opened["outcome"]),
        tier=int(tiered["tier"]),
        because=_reason(opened),
        tier_because=_reason(tiered),
    )


def _reason(rule: Mapping[str, Any]) -> dict[str, str]:
    return {"slug": str(rule["slug"]), "en": str(rule["en"]), "zh": str(rule["zh"])}


def _first(rules: Sequence[Mapping[str, Any]], facts: Mapping[str, Any]) -> Mapping[str, Any]:
    return next(r for r in rules if any(_holds(when, facts) for when in r["when"]))


def _holds(when: Mapping[str, Any], facts: Mapping[str, Any]) -> bool:
    return all(_fits(want, facts.get(fact)) for fact, want in when.items())


def _fits(want: object, have: object) -> bool:
    if isinstance(want, Mapping):
        number = have if isinstance(have, int | float) else 0
        return bool(number >= want["min"])
    return bool(have) is bool(want)
