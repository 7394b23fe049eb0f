from django.contrib import admin
from django.http import HttpRequest

from sops.models import ProcedureVersion, Run


class ReadOnlyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


@admin.register(ProcedureVersion)
class ProcedureVersionAdmin(ReadOnlyAdmin):
    list_display = ["procedure", "number", "state", "published_at", "shipped"]


@admin.register(Run)
class RunAdmin(ReadOnlyAdmin):
    list_display = ["incident_number", "version", "state", "started_at", "closed_reason"]
