"""Pages by key, not by offset: constant cost however deep, stable while rows arrive."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from django.db.models import Model, Q, QuerySet

M = TypeVar("M", bound=Model)
PAGE = 50


@dataclass(frozen=True, slots=True)
class Page(Generic[M]):
    """`older`: the cursor of the next page, empty at the end."""

    rows: Sequence[M]
    older: str
    first: bool


def page(queryset: QuerySet[M], *, column: str, cursor: str, size: int = PAGE) -> Page[M]:
    """Ordered by `column` and id, both falling; a cursor that is none begins at the top."""
    after = _cursor(cursor)
    rows = queryset
    if after:
        moment, pk = after
        rows = rows.filter(Q(**{f"{column}__lt": moment}) | Q(**{column: moment, "pk__lt": pk}))
        rows = rows.filter(**{f"{column}__lte": moment})
    found = list(rows.order_by(f"-{column}", "-pk")[: size + 1])
    shown = found[:size]
    older = _of(shown[-1], column) if len(found) > size else ""
    return Page(rows=shown, older=older, first=after is None)


def _of(row: Any, column: str) -> str:
    return f"{getattr(row, column).isoformat()}_{row.pk}"


def _cursor(text: str) -> tuple[datetime, int] | None:
    moment, _, pk = text.rpartition("_")
    try:
        return datetime.fromisoformat(moment), int(pk)
    except ValueError:
        return None
