from django.urls import register_converter
from rest_framework.routers import SimpleRouter

from fleet.api import reference, views


class ComponentPath:
    """A component's path has slashes of its own; what follows `/actions` is not part of it."""

    regex = r"(?:(?!/actions$).)+"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(ComponentPath, "component_path")


def register(router: SimpleRouter) -> None:
    router.register("components", views.ComponentViewSet, basename="component")
    router.register("jobs", views.JobViewSet, basename="job")
    router.register("checkpoints", views.CheckpointViewSet, basename="checkpoint")
    router.register("failure-classes", reference.FailureClassViewSet, basename="failure-class")
    router.register("fault-codes", reference.FaultCodeViewSet, basename="fault-code")
    router.register("indicators", reference.IndicatorViewSet, basename="indicator")
