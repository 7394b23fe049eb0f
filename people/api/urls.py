from rest_framework.routers import SimpleRouter

from people.api import views


def register(router: SimpleRouter) -> None:
    router.register("users", views.UserViewSet, basename="users")
    router.register("teams", views.TeamViewSet, basename="teams")
    router.register("rosters", views.RosterViewSet, basename="rosters")
    router.register("responsibilities", views.ResponsibilityViewSet, basename="responsibilities")
    router.register("tokens", views.TokenViewSet, basename="tokens")
