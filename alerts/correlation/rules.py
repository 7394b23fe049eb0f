"""Classification rules: data, in order, first match wins.

A rule is `{slug, name_en, name_zh, when, then}`. `when` is a tree of `all`, `any` and `not` over
leaves:

    name: REGEX       the alert's name, lower-case, letters digits and CJK only ("Kube Node-NotReady" is
                      "kubenodenotready")
    text: REGEX       summary and description, lower-case
    code: REGEX       the normalised fault code, whole ("80E01801", "XID79", "[0x08520003,…]")
    event_class: [E1] of the code table
    layer: REGEX      the label `layer`
    severity: [critical]
    label: {key: REGEX}
    has: [key, …]     these labels are present

`then` gives `sign` (signs.py) and may override `failure_class`, `event_class`, `role` and `plane`.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import yaml

from alerts.correlation.signs import SIGNS

_OUTCOME = ("sign", "failure_class", "event_class", "role", "plane")
_NOT_WORD = re.compile(r"[^0-9a-z\u3400-\u9fff]+")


class BadRule(ValueError):
    """A rule that cannot be evaluated; the message names it and says why."""


class Seen:
    """What rules look at: `name` by `normal_name`, `text` by `shape_of`, both lower-case.

    `asked` tells whether any rule wanted the text: most answers do not depend on it.
    """

    __slots__ = (
        "_shape",
        "_text",
        "asked",
        "code",
        "event_class",
        "labels",
        "layer",
        "name",
        "severity",
    )

    def __init__(
        self,
        *,
        name: str,
        text: str,
        code: str,
        event_class: str,
        layer: str,
        severity: str,
        labels: Mapping[str, str],
    ) -> None:
        self.name, self.code, self.event_class = name, code, event_class
        self.layer, self.severity, self.labels = layer, severity, labels
        self._text, self._shape, self.asked = text, "", False

    @property
    def text(self) -> str:
        self.asked = True
        if not self._shape and self._text:
            self._shape = shape_of(self._text)
        return self._shape


@dataclass(frozen=True, slots=True)
class Rule:
    name: str
    when: Mapping[str, Any]
    sign: str
    failure_class: str = ""
    event_class: str = ""
    role: str = ""
    plane: str = ""
    enabled: bool = True


Test = Callable[[Seen], bool]


@dataclass(frozen=True)
class Rules:
    """Compiled rules. `first` remembers answers by everything the rules can see."""

    tests: tuple[tuple[Rule, Test], ...]
    labels: frozenset[str]
    _known: dict[tuple[object, ...], tuple[Rule | None, bool]] = field(
        default_factory=dict, repr=False
    )

    def first(self, seen: Seen) -> Rule | None:
        own = tuple([(k, v) for k, v in seen.labels.items() if k in self.labels])
        key = (seen.name, seen.code, seen.event_class, seen.layer, seen.severity, own)
        known = self._known.get(key)
        if known is None:
            known = self._remember(key, seen)
        rule, by_text = known
        if not by_text:
            return rule
        with_text = (*key, seen.text)
        found = self._known.get(with_text) or self._remember(with_text, seen)
        return found[0]

    def _remember(self, key: tuple[object, ...], seen: Seen) -> tuple[Rule | None, bool]:
        seen.asked = False
        rule = next((rule for rule, test in self.tests if test(seen)), None)
        if len(self._known) > 50_000:
            self._known.clear()
        self._known[key] = rule, seen.asked
        return rule, seen.asked

    def matches(self, seen: Seen) -> list[Rule]:
        """All rules that would match, in order: for the dry run in Settings."""
        return [rule for rule, test in self.tests if test(seen)]


_TOKEN = re.compile(r"\S*\d\S*")


def shape_of(text: str) -> str:
    """A lower-case text without the words that hold digits, so that 12,288 summaries are one.

    Rules match this shape: a `text` pattern cannot depend on a number.
    """
    return _TOKEN.sub("#", text.lower())


@lru_cache(maxsize=4096)
def normal_name(name: str) -> str:
    return _NOT_WORD.sub("", name.lower())


def load_rules(text: str) -> Rules:
    """The rules of a YAML file such as the one that ships."""
    return compile_rules(yaml.safe_load(text))


def rules_of(rows: Iterable[Mapping[str, Any]]) -> list[Rule]:
    """Rules from plain mappings, as `rules.yaml`, the table and the API spell them."""
    return [rule_of(row) for row in rows]


def rule_of(row: Mapping[str, Any]) -> Rule:
    name = str(row.get("slug") or row.get("name") or "?")
    outcome = row.get("then") or row.get("outcome")
    if not isinstance(outcome, Mapping) or "sign" not in outcome:
        raise BadRule(f"{name}: it names no sign")
    known = {key: str(outcome[key]) for key in _OUTCOME if outcome.get(key)}
    when = row.get("when") or row.get("condition") or {}
    return Rule(name=name, when=when, enabled=row.get("enabled", True), **known)


def compile_rules(rows: Iterable[Rule | Mapping[str, Any]]) -> Rules:
    """:raises BadRule: for an unknown sign or condition, or a pattern that does not compile."""
    tests: list[tuple[Rule, Test]] = []
    labels: dict[str, None] = {}
    for row in rows:
        rule = row if isinstance(row, Rule) else rule_of(row)
        if not rule.enabled:
            continue
        if rule.sign not in SIGNS:
            raise BadRule(f"{rule.name}: unknown sign {rule.sign!r}")
        tests.append((rule, _tree(rule.when, rule.name, labels)))
    return Rules(tests=tuple(tests), labels=frozenset(labels))


def _tree(when: Any, name: str, labels: dict[str, None]) -> Test:
    if not isinstance(when, Mapping) or not when:
        raise BadRule(f"{name}: a condition is a non-empty mapping")
    parts = [_leaf(key, value, name, labels) for key, value in when.items()]
    return parts[0] if len(parts) == 1 else lambda seen: all(part(seen) for part in parts)


def _leaf(key: str, value: Any, name: str, labels: dict[str, None]) -> Test:
    if key in ("all", "any"):
        parts = [_tree(part, name, labels) for part in value]
        if key == "all":
            return lambda seen: all(part(seen) for part in parts)
        return lambda seen: any(part(seen) for part in parts)
    if key == "not":
        inner = _tree(value, name, labels)
        return lambda seen: not inner(seen)
    if key in ("severity", "event_class"):
        wanted = frozenset([value] if isinstance(value, str) else value)
        return lambda seen: getattr(seen, key) in wanted
    if key == "has":
        labels.update(dict.fromkeys(value))
        return lambda seen: all(seen.labels.get(label) for label in value)
    if key == "label":
        return _label(value, name, labels)
    return _pattern(key, value, name)


def _label(value: Mapping[str, str], name: str, labels: dict[str, None]) -> Test:
    labels.update(dict.fromkeys(value))
    tests = [(label, _regex(pattern, name)) for label, pattern in value.items()]
    return lambda seen: all(test.search(str(seen.labels.get(k) or "")) for k, test in tests)


def _pattern(key: str, value: str, name: str) -> Test:
    if key == "code":
        whole = _regex(value, name)
        return lambda seen: bool(whole.fullmatch(seen.code))
    if key == "text":
        words = _regex(value, name)
        return lambda seen: bool(words.search(seen.text))
    if key in ("name", "layer"):
        part = _regex(value, name)
        return lambda seen: bool(part.search(getattr(seen, key)))
    raise BadRule(f"{name}: unknown condition {key!r}")


def _regex(pattern: str, name: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern, re.IGNORECASE)
    except re.error as error:
        raise BadRule(f"{name}: {pattern!r} is not a pattern: {error}") from error
