"""Joining: a union-find over indexes, and chains of events along a key."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta

Key = tuple[str, ...]


class Joined:
    """Which of `count` things belong together. The answer does not depend on the order of joins."""

    def __init__(self, count: int) -> None:
        self._up = list(range(count))

    def find(self, i: int) -> int:
        up = self._up
        while up[i] != i:
            up[i] = up[up[i]]
            i = up[i]
        return i

    def join(self, i: int, j: int) -> None:
        a, b = self.find(i), self.find(j)
        if a != b:
            self._up[max(a, b)] = min(a, b)

    def join_all(self, members: Iterable[int]) -> None:
        first = None
        for member in members:
            if first is None:
                first = member
            else:
                self.join(first, member)

    def sets(self) -> list[list[int]]:
        found: dict[int, list[int]] = {}
        for i in range(len(self._up)):
            found.setdefault(self.find(i), []).append(i)
        return list(found.values())


def chains(
    items: Iterable[int],
    at: Callable[[int], datetime],
    gap: timedelta,
    bridged: Callable[[int], bool] = lambda i: False,
) -> list[list[int]]:
    """Runs in which each follows the one before within `gap`, or after one that is `bridged`."""
    runs: list[list[int]] = []
    last: datetime | None = None
    open_end = False
    for i in sorted(items, key=lambda i: (at(i), i)):
        now = at(i)
        if last is None or (now - last > gap and not open_end):
            runs.append([])
            open_end = False
        runs[-1].append(i)
        last = now
        open_end = open_end or bridged(i)
    return runs


def by_key(keys: Sequence[Iterable[Key]]) -> dict[Key, list[int]]:
    found: dict[Key, list[int]] = {}
    for i, several in enumerate(keys):
        for key in several:
            found.setdefault(key, []).append(i)
    return found
