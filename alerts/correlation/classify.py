"""From a raw alert to a Fact: code, rule, place."""

from collections.abc import Mapping
from datetime import datetime

from alerts.correlation.codes import CodeTable, code_in
from alerts.correlation.facts import Fact, Place, Signal
from alerts.correlation.labels import DEFAULT_MAP, LabelMap
from alerts.correlation.places import Locator
from alerts.correlation.rules import Rule, Rules, Seen, normal_name
from alerts.correlation.signs import CAUSE, SIGNS, SYMPTOM, Sign
from alerts.correlation.topology import Topology

_ROLES = {CAUSE: "cause", SYMPTOM: "victim"}
_TEXTS = ("summary", "description", "message", "text", "title", "alarmDesc", "err_msg")


class Reader:
    """Reads alerts against one fleet version, one rule set and one code table."""

    def __init__(
        self,
        *,
        rules: Rules,
        topology: Topology | None = None,
        codes: CodeTable | None = None,
        default_region: str = "",
    ) -> None:
        self.rules = rules
        self.codes = codes or CodeTable()
        self.locator = Locator(topology or Topology(), default_region)
        self._signals: dict[tuple[str, str, str], Signal] = {}

    def read(
        self,
        *,
        episode: int,
        name: str,
        severity: str,
        state: str,
        started_at: datetime,
        event_at: datetime,
        labels: Mapping[str, str],
        annotations: Mapping[str, str] | None = None,
        source: int = 0,
        ended_at: datetime | None = None,
        is_drill: bool = False,
        fired: bool = True,
        label_map: LabelMap | None = None,
    ) -> Fact:
        notes = annotations or {}
        signal, place = self.meaning(name, severity, labels, notes, label_map)
        return Fact(
            episode=episode,
            source=source,
            name=name,
            severity=severity,
            state=state,
            started_at=started_at,
            event_at=event_at,
            ended_at=ended_at,
            place=place,
            signal=signal,
            labels=labels,
            annotations=notes,
            is_drill=is_drill,
            fired=fired,
        )

    def meaning(
        self,
        name: str,
        severity: str,
        labels: Mapping[str, str],
        annotations: Mapping[str, str],
        label_map: LabelMap | None = None,
    ) -> tuple[Signal, Place]:
        seen = self.seen(name, severity, labels, annotations)
        rule = self.rules.first(seen)
        sign = SIGNS[rule.sign] if rule else SIGNS["unknown"]
        signal = self._signal(seen, rule, sign)
        place = self.locator.locate(
            labels, scope=sign.scope, plane=signal.plane, label_map=label_map or DEFAULT_MAP
        )
        return signal, place

    def seen(
        self,
        name: str,
        severity: str,
        labels: Mapping[str, str],
        annotations: Mapping[str, str],
    ) -> Seen:
        text = " ".join(str(annotations[key]) for key in _TEXTS if annotations.get(key))
        code = code_in(name, labels, text)
        return Seen(
            name=normal_name(name),
            text=text[:2000],
            code=code,
            event_class=self.codes.find(code).event_class if code else "",
            layer=str(labels.get("layer") or "").lower(),
            severity=severity,
            labels=labels,
        )

    def _signal(self, seen: Seen, rule: Rule | None, sign: Sign) -> Signal:
        key = (rule.name if rule else "", seen.code, seen.layer)
        if key not in self._signals:
            self._signals[key] = self._new_signal(seen, rule, sign)
        return self._signals[key]

    def _new_signal(self, seen: Seen, rule: Rule | None, sign: Sign) -> Signal:
        table = self.codes.find(seen.code) if seen.code else None
        own = table.event_class if table and table.event_class.startswith("E") else ""
        return Signal(
            sign=rule.sign if rule else "unknown",
            role=(rule.role if rule else "") or _ROLES.get(sign.kind, "unrelated"),
            failure_class=(rule.failure_class if rule else "") or sign.failure_class,
            event_class=(rule.event_class if rule else "") or own or sign.event_class,
            fault_code=seen.code,
            handling_level=table.handling_level if table else "",
            layer=seen.layer or sign.layer,
            plane=rule.plane if rule else "",
            rule=rule.name if rule else "",
        )
