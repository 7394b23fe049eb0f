"""What every monitoring system would say if they all agreed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol


class MalformedPayload(ValueError):
    """The body is not of this kind: it stays in the failed list for replay; the answer was 202."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """
    One item of a body. `starts_at` is None where the sender gave none that can be used.

    :param firing: by exact status words and `endsAt` only; nothing is guessed from text.
    :param ends_at: set when, and only when, not firing.
    :param notes: slugs of what had to be assumed, shown on the alert.
    """

    fingerprint: str
    name: str
    firing: bool
    starts_at: datetime | None
    ends_at: datetime | None
    severity: str
    labels: Mapping[str, str]
    annotations: Mapping[str, str]
    generator_url: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A body, read: its signals, what could not be read and why, and how many were cut."""

    signals: Sequence[Signal]
    errors: Sequence[str] = ()
    truncated: int = 0
    truncated_key: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceSettings:
    """What an adapter may know of its source."""

    default_severity: str = "warning"
    volatile_labels: frozenset[str] = field(default_factory=frozenset)


class Adapter(Protocol):
    def __call__(self, payload: object, *, settings: SourceSettings, at: datetime) -> Reading:
        """
        Translate one decoded body that was received `at`.

        :raises MalformedPayload: if nothing of it can be used.
        """
        ...
