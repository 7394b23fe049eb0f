from rest_framework.routers import SimpleRouter

from core.api.audit import ChangeViewSet


def register(router: SimpleRouter) -> None:
    router.register("audit", ChangeViewSet, basename="audit")
