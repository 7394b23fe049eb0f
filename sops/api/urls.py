from rest_framework.routers import SimpleRouter

from sops.api import views


def register(router: SimpleRouter) -> None:
    router.register("procedures", views.ProcedureViewSet, basename="procedure")
    router.register("runs", views.RunViewSet, basename="run")
