"""Tell open pages that something changed, once the change is committed. Loss is harmless."""

from collections.abc import Callable

from django.db import connection, transaction

from core import live


class _Announcement:
    """The topics of one transaction, told once each."""

    def __init__(self) -> None:
        self.topics: dict[str, None] = {}

    def __call__(self) -> None:
        live.tell(list(self.topics))


def announce(*topics: str) -> None:
    pending = _pending()
    if pending is None:
        pending = _Announcement()
        transaction.on_commit(pending, robust=True)
    if connection.in_atomic_block:
        pending.topics.update(dict.fromkeys(topics))
    else:
        live.tell(list(topics))


def _pending() -> _Announcement | None:
    """The announcement of this very savepoint: one that rolls back takes its own along."""
    sids = set(connection.savepoint_ids)
    entries: list[tuple[set[str], Callable[[], None], bool]] = connection.run_on_commit  # type: ignore[assignment]
    for entry_sids, function, _robust in entries:
        if isinstance(function, _Announcement) and entry_sids == sids:
            return function
    return None
