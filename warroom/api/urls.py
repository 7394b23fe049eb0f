from rest_framework.routers import SimpleRouter

from warroom.api import views


def register(router: SimpleRouter) -> None:
    router.register("incidents", views.IncidentViewSet, basename="incidents")
    router.register("rooms", views.RoomViewSet, basename="rooms")
    router.register("participants", views.ParticipantViewSet, basename="participants")
    router.register("clocks", views.ClockViewSet, basename="clocks")
    router.register("timeline", views.TimelineViewSet, basename="timeline")
