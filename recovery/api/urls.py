from rest_framework.routers import SimpleRouter

from recovery.api.views import RecoveryViewSet, ReportViewSet


def register(router: SimpleRouter) -> None:
    router.register("recoveries", RecoveryViewSet, basename="recovery")
    router.register("reports", ReportViewSet, basename="report")
