from rest_framework.routers import SimpleRouter

from postmortems.api.views import PostmortemViewSet


def register(router: SimpleRouter) -> None:
    router.register("postmortems", PostmortemViewSet, basename="postmortem")
