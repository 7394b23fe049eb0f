"""CSV of a list with its filters. A cell never starts a formula."""

import csv
from collections.abc import Iterator
from typing import Any, ClassVar

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request

from core.api.views import rows

LIMIT = 100_000  # rows; an export is a file for a spreadsheet, not a backup


class _Line:
    def write(self, value: str) -> str:
        return value


def safe(value: object) -> str:
    """A spreadsheet runs cells that begin with these; an apostrophe makes them text."""
    text = "" if value is None else str(value)
    return "'" + text if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


class ExportMixin:
    export_fields: ClassVar[tuple[str, ...]] = ()

    @extend_schema(responses={(200, "text/csv"): OpenApiTypes.STR})
    @action(detail=False, methods=["get"], url_path="export.csv", url_name="export")
    def export(self, request: Request) -> StreamingHttpResponse:
        """The list as CSV, with the same filters."""
        name = getattr(self, "basename", "export")
        return StreamingHttpResponse(
            self._lines(),
            content_type="text/csv; charset=utf-8",
            headers={"Content-Disposition": f'attachment; filename="{name}.csv"'},
        )

    def _lines(self) -> Iterator[str]:
        writer = csv.writer(_Line())
        yield "\ufeff" + str(writer.writerow(self.export_fields))
        chosen: Any = rows(self)  # type: ignore[arg-type]
        for obj in chosen[:LIMIT].iterator(chunk_size=1000):
            row: dict[str, Any] = self.get_serializer(obj).data  # type: ignore[attr-defined]
            yield str(writer.writerow([safe(row.get(name)) for name in self.export_fields]))
