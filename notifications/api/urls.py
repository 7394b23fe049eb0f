from rest_framework.routers import SimpleRouter

from notifications.api import views


def register(router: SimpleRouter) -> None:
    router.register("deliveries", views.DeliveryViewSet, basename="deliveries")
    router.register("channels", views.ChannelViewSet, basename="channels")
