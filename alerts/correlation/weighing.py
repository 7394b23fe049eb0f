"""What the sender said of the root, how sure we are, and who else is suspected."""

from collections.abc import Sequence
from typing import Any

from alerts.correlation.facts import Fact
from alerts.correlation.failure import Evidence
from alerts.correlation.root import Root, Text, level_of, text, when
from alerts.correlation.signs import SIGNS
from alerts.correlation.units import Unit


def cause(root: Root, unit: Unit, failure_class: str | None) -> Text:
    """What happened, as a code, its parameters, and the sender's own words."""
    best = sorted(root.facts, key=lambda f: (-SIGNS[f.signal.sign].weight, *when(f)))
    code = best[0].signal.sign if best else ("symptoms_only" if unit.symptoms else "unknown")
    params: dict[str, Any] = {}
    if best and best[0].signal.fault_code:
        params["fault_code"] = best[0].signal.fault_code
    names = list(dict.fromkeys(f.place.facility for f in unit.facts if f.place.facility))
    if names and failure_class == "NCR":
        code, params["facility"] = "power_or_cooling_lost", sorted(names)
    parts = list(dict.fromkeys(f.place.part for f in root.facts if f.place.part))
    if parts:
        params["part"] = parts
    flaps = sum(1 for f in root.facts if f.signal.sign == "link_down")
    if root.level == "link" and flaps > 1:
        params["flaps"] = flaps
    if versions := _drift(root.facts):
        params.update(versions)
    words = [*params.get("facility", ()), *parts]
    said = next((f.summary for f in best if f.summary), "")
    if fan := next((f.summary for f in unit.facts if f.signal.sign == "node_fan"), ""):
        said = f"{said}; {fan}" if said and root.level in ("card", "node") else said
    sentence = ": ".join(part for part in (", ".join(words), said) if part)
    return {"code": code, "params": params, "text": sentence[:400]}


def _drift(facts: Sequence[Fact]) -> dict[str, str]:
    for fact in facts:
        if fact.signal.sign == "version_drift" and fact.labels.get("actual"):
            return {
                "actual": str(fact.labels["actual"]),
                "expected": str(fact.labels.get("expected", "")),
            }
    return {}


def weigh(root: Root, seen: Evidence, failure_class: str | None) -> None:
    """Confidence and evidence. Parameters never name a victim."""
    unit, points = seen.unit, 0.35
    hard = [f for f in root.facts if f.hard]
    if root.facts:
        first = min(f.event_at for f in root.facts)
        if hard:
            points += 0.2
            code = hard[0].signal.fault_code or hard[0].name
            root.for_it.append(text("hard_evidence", alert=code, count=len(hard)))
        if seen.first_symptom is None or first <= seen.first_symptom:
            points += 0.15
            lead = int((seen.first_symptom - first).total_seconds()) if seen.first_symptom else 0
            root.for_it.append(text("before_symptoms", seconds=lead))
        else:
            root.against.append(text("after_first_symptom"))
        if len({f.name for f in root.facts}) > 1:
            points += 0.1
            root.for_it.append(
                text("several_alerts_agree", count=len({f.name for f in root.facts}))
            )
    if unit.level in ("supernode", "plane", "nodes"):
        points += 0.1
        root.for_it.append(text("siblings_failed_together", count=len(root.nodes)))
    waits = sum(SIGNS[f.signal.sign].family in ("wait", "launch", "comm") for f in unit.symptoms)
    if waits:
        points += 0.05
        root.for_it.append(text("others_only_wait", count=waits))
    if failure_class == "NHG" and "bmc_alive" in unit.signs:
        points += 0.1
        root.for_it.append(text("bmc_answers_power_on"))
    if failure_class == "NCR" and unit.families & {"power", "cooling"}:
        root.for_it.append(text("facility_evidence"))
    if not root.facts:
        points = 0.2
        root.against.append(text("no_cause_told"))
    root.confidence = min(points, 0.95)


def suspects(root: Root, seen: Evidence) -> tuple[dict[str, Any], ...]:
    """The root first, then what else in the group has evidence of its own, at most five."""
    out: list[dict[str, Any]] = [root.as_json()]
    mine = {id(f) for f in root.facts}
    others: dict[str, list[Fact]] = {}
    for fact in seen.unit.facts:
        if id(fact) not in mine and fact.place.path and fact.place.path != root.path:
            others.setdefault(fact.place.path, []).append(fact)
    ranked = sorted(
        others.items(),
        key=lambda row: (-max(SIGNS[f.signal.sign].weight for f in row[1]), *when(row[1][0])),
    )
    for path, facts in ranked[:4]:
        weight = max(SIGNS[f.signal.sign].weight for f in facts)
        other = Root(level_of(facts[0]), path, facts=facts, confidence=weight / 400)
        other.cause = {"code": facts[0].signal.sign, "params": {}, "text": facts[0].summary[:200]}
        other.for_it = [text("has_own_alerts", count=len(facts))]
        other.against = [text("explained_by_root")]
        out.append(other.as_json())
    return tuple(out)
