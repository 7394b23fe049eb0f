"""Named lists that apps fill when Django starts, so that questions travel up without imports."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, Protocol, TypeVar
from uuid import UUID

T = TypeVar("T")


class Registry(Generic[T]):
    """Items by key, given back in order of key. A key is taken once."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._items: dict[str, T] = {}

    def add(self, key: str, item: T) -> T:
        if key in self._items and self._items[key] is not item:
            raise ValueError(f"{self.name} has {key!r} already")
        self._items[key] = item
        return item

    def get(self, key: str) -> T | None:
        return self._items.get(key)

    def items(self) -> list[tuple[str, T]]:
        return sorted(self._items.items(), key=lambda pair: pair[0])

    def __iter__(self) -> Iterator[T]:
        return iter([item for _, item in self.items()])

    def __contains__(self, key: str) -> bool:
        return key in self._items


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiptOutcome:
    """What became of one stored body. `state` is parsed, partly_parsed or failed."""

    state: str
    reason: str = ""
    alerts: list[int] = field(default_factory=list)
    incidents: list[int] = field(default_factory=list)


class ReceiptParser(Protocol):
    def __call__(
        self, body: object, *, source_id: int, receipt_id: UUID, at: datetime
    ) -> ReceiptOutcome: ...


class Sweep(Protocol):
    """Does what is due at `at` and returns how much it did. Any number may run at once."""

    def __call__(self, *, at: datetime) -> int: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """Something that waits for a person."""

    text: str
    url: str
    since: datetime | None = None
    due_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Involvement:
    """Something a person is part of, and that would be left without them."""

    text: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    name: str
    value: float
    help: str
    labels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class MenuEntry:
    """`badge(user)` counts what needs attention; `prefix` marks the entry as active."""

    label: Any
    url_name: str
    icon: str
    order: int
    prefix: str = ""
    badge: Callable[[Any], int] | None = None
    role: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """A piece of a page of another app, loaded by hx-get from `url_name`."""

    url_name: str
    order: int
    title: Any = ""
    column: str = "main"
    topic: str = ""


receipt_parsers: Registry[ReceiptParser] = Registry("receipt_parsers")
sweeps: Registry[Sweep] = Registry("sweeps")
waits_for: Registry[Callable[[Any, datetime], list[Waiting]]] = Registry("waits_for")
involvements: Registry[Callable[[Any], list[Involvement]]] = Registry("involvements")
metrics: Registry[Callable[[datetime], Iterable[Metric]]] = Registry("metrics")
readiness: Registry[Callable[[datetime], str]] = Registry("readiness")
integrity: Registry[Callable[[], list[str]]] = Registry("integrity")
menu: Registry[MenuEntry] = Registry("menu")
settings_pages: Registry[MenuEntry] = Registry("settings_pages")
board_tiles: Registry[Panel] = Registry("board_tiles")
board_panels: Registry[Panel] = Registry("board_panels")
room_panels: Registry[Panel] = Registry("room_panels")
timeline_texts: Registry[Callable[[Mapping[str, Any]], str]] = Registry("timeline_texts")
# What every site needs, demo or not: run after each migration, and so safe to run again.
site_loaders: Registry[Callable[[datetime], str | None]] = Registry("site_loaders")
demo_loaders: Registry[Callable[[datetime], str | None]] = Registry("demo_loaders")
demo_logins: Registry[str] = Registry("demo_logins")
live_guards: Registry[Callable[[Any, str], bool]] = Registry("live_guards")

# Told of one event, in a transaction of its own; may be told twice; takes its ids by keyword and
# swallows those it does not know.
EventHandler = Callable[..., None]
H = TypeVar("H", bound=EventHandler)

_event_handlers: dict[str, list[EventHandler]] = {}


def on_event(kind: str) -> Callable[[H], H]:
    def register(handler: H) -> H:
        handlers = _event_handlers.setdefault(kind, [])
        if handler not in handlers:
            handlers.append(handler)
        return handler

    return register


def handlers_of(kind: str) -> list[EventHandler]:
    return list(_event_handlers.get(kind, []))


def panels(registry: Registry[Panel], column: str | None = None) -> list[Panel]:
    """The panels of a page, or of one column of it, in their order."""
    chosen = [panel for panel in registry if column in (None, panel.column)]
    return sorted(chosen, key=lambda panel: panel.order)
