from django.urls import path

from postmortems.web import views

app_name = "postmortems"
urlpatterns = [
    path("postmortems/", views.listing, name="list"),
    path("postmortems/<int:pk>/", views.reader, name="reader"),
    path("incidents/<int:number>/postmortem/", views.of_incident, name="of-incident"),
]
