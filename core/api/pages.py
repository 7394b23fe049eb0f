"""Cursor pages: stable while rows arrive, constant cost however deep."""

from rest_framework.pagination import CursorPagination


class CursorPages(CursorPagination):
    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 500
    ordering = "-pk"

    def get_ordering(self, request, queryset, view):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
        """The view's `ordering`, always ended by the key so that no two rows tie."""
        chosen = getattr(view, "ordering", None) or self.ordering
        names = [chosen] if isinstance(chosen, str) else list(chosen)
        key = queryset.model._meta.pk.name
        if not any(name.lstrip("-") in ("pk", "id", key) for name in names):
            names.append("-" + key)
        return tuple(names)
