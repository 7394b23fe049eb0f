from django.urls import path

from recovery.web import views

app_name = "recovery"
urlpatterns = [
    path("recovery/", views.latest, name="latest"),
    path("recovery/tile/", views.tile, name="tile"),
    path("recovery/<str:day>/", views.daily_page, name="daily"),
]
