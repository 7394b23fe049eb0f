"""The text of a procedure as Python sees it: frozen, typed, in the reader's language."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from django.utils.translation import get_language

from sops.states import Target

Json = Mapping[str, Any]
WORD = re.compile(r"(?<!\w)[A-Z][A-Z_]*(?!\w)")
"""A word in capitals in a command: a placeholder, where the common rules explain it."""


@dataclass(frozen=True, slots=True)
class Text:
    en: str
    zh: str

    @classmethod
    def read(cls, data: Json | None) -> Self | None:
        return cls(en=str(data["en"]), zh=str(data["zh"])) if data else None

    @classmethod
    def need(cls, data: Json) -> Self:
        return cls(en=str(data["en"]), zh=str(data["zh"]))

    def __str__(self) -> str:
        return self.zh if (get_language() or "").startswith("zh") else self.en


def texts(rows: Sequence[Json]) -> tuple[Text, ...]:
    return tuple(Text.need(row) for row in rows)


@dataclass(frozen=True, slots=True)
class Command:
    """To copy, never to be run by the product. The same in every language."""

    run: str
    label: Text | None


@dataclass(frozen=True, slots=True)
class Decision:
    when: Text
    then: Text | None
    to: Target | None


@dataclass(frozen=True, slots=True)
class Group:
    """`choice`: alternatives, one of which is chosen at step `at`; `parallel`: beside the rest."""

    key: str
    kind: str
    at: int | None
    name: Text


@dataclass(frozen=True, slots=True)
class NoSpare:
    at: tuple[int, ...]
    when: Text
    do: tuple[Text, ...]
    authority: Text
    to: Target | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """`start` and `end` are minutes from the opening of the incident."""

    number: int
    start: int
    end: int
    group: str
    domains: tuple[str, ...]
    title: Text
    do: Text
    place: Text
    commands: tuple[Command, ...]
    expected: Text
    decisions: tuple[Decision, ...]
    stops: tuple[Text, ...]
    rollback: Text | None
    authority: Text | None
    sources: tuple[str, ...]
    placeholders: "tuple[Rule, ...]"

    @property
    def budget(self) -> int:
        return self.end - self.start

    @classmethod
    def read(cls, data: Json, explained: "Sequence[Rule]") -> Self:
        start, end = data["budget"]
        words = {word for row in data.get("commands", []) for word in WORD.findall(row["run"])}
        return cls(
            number=int(data["number"]),
            start=int(start),
            end=int(end),
            group=str(data.get("group", "")),
            domains=tuple(data["domains"]),
            title=Text.need(data["title"]),
            do=Text.need(data["do"]),
            place=Text.need(data["place"]),
            commands=tuple(
                Command(run=row["run"], label=Text.read(row.get("label")))
                for row in data.get("commands", [])
            ),
            expected=Text.need(data["expected"]),
            decisions=tuple(_decision(row) for row in data.get("decisions", [])),
            stops=texts(data.get("stops", [])),
            rollback=Text.read(data.get("rollback")),
            authority=Text.read(data.get("authority")),
            sources=tuple(data.get("sources", [])),
            placeholders=tuple(rule for rule in explained if rule.key in words),
        )


def _target(data: Json) -> Target | None:
    return Target.parse(data["to"]) if data.get("to") is not None else None


def _decision(row: Json) -> Decision:
    return Decision(when=Text.need(row["when"]), then=Text.read(row.get("then")), to=_target(row))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    key: str
    text: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Common:
    """What all procedures share: standing steps, stop conditions, the 60 and 90 minute rules."""

    clock: Text
    standing_steps: tuple[Text, ...]
    stop_conditions: tuple[Rule, ...]
    minute_rules: tuple[Rule, ...]
    recovered: Text
    commands_note: Text
    placeholders: tuple[Rule, ...]

    @classmethod
    def read(cls, data: Json) -> Self:
        return cls(
            clock=Text.need(data["clock"]),
            standing_steps=texts(data["standing_steps"]),
            stop_conditions=tuple(
                Rule(key=row["key"], text=Text.need(row)) for row in data["stop_conditions"]
            ),
            minute_rules=tuple(
                Rule(key=str(row["minute"]), text=Text.need(row)) for row in data["minute_rules"]
            ),
            recovered=Text.need(data["recovered"]),
            commands_note=Text.need(data["commands_note"]),
            placeholders=tuple(
                Rule(key=key, text=Text.need(row)) for key, row in data["placeholders"].items()
            ),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    failure_class: str
    name: Text
    proposal: bool
    sources: tuple[str, ...]
    default_tier: int
    tier2_when: Text
    ends_by: int
    reserve: int
    groups: tuple[Group, ...]
    no_spare: NoSpare
    steps: tuple[Step, ...]
    common: Common

    def step(self, number: int) -> Step:
        return next(step for step in self.steps if step.number == number)

    @property
    def choices(self) -> dict[str, int]:
        """Groups of alternatives, with the step where one of them is chosen."""
        return {g.key: g.at for g in self.groups if g.kind == "choice" and g.at is not None}

    @classmethod
    def read(cls, data: Json) -> Self:
        """:raises KeyError, TypeError, ValueError: if something that must be there is not."""
        common = Common.read(data["common"])
        return cls(
            failure_class=str(data["failure_class"]),
            name=Text.need(data["name"]),
            proposal=bool(data["proposal"]),
            sources=tuple(data["sources"]),
            default_tier=int(data["default_tier"]),
            tier2_when=Text.need(data["tier2_when"]),
            ends_by=int(data["ends_by"]),
            reserve=int(data["reserve"]),
            groups=tuple(
                Group(key=key, kind=row["kind"], at=row.get("at"), name=Text.need(row["name"]))
                for key, row in data.get("groups", {}).items()
            ),
            no_spare=_no_spare(data["no_spare"]),
            steps=tuple(Step.read(row, common.placeholders) for row in data["steps"]),
            common=common,
        )


def _no_spare(data: Json) -> NoSpare:
    return NoSpare(
        at=tuple(data["at"]),
        when=Text.need(data["when"]),
        do=texts(data["do"]),
        authority=Text.need(data["authority"]),
        to=_target(data),
    )
