from rest_framework.routers import SimpleRouter

from alerts.api import views


def register(router: SimpleRouter) -> None:
    router.register("alerts", views.AlertViewSet, basename="alerts")
    router.register("alert-groups", views.AlertGroupViewSet, basename="alert-groups")
    router.register("receipts", views.ReceiptViewSet, basename="receipts")
    router.register("sources", views.SourceViewSet, basename="sources")
    router.register("rules", views.RuleViewSet, basename="rules")
