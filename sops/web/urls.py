from django.urls import path

from sops.web import library, panel

app_name = "sops"
urlpatterns = [
    path("incidents/<int:number>/sop/", panel.panel, name="panel"),
    path("incidents/<int:number>/sop/start/", panel.start, name="start"),
    path("incidents/<int:number>/sop/runs/<int:run_id>/", panel.act, name="act"),
    path("sops/", library.shelf, name="library"),
    path("sops/<slug:code>/", library.read, name="procedure"),
    path("sops/<slug:code>/runs/", library.runs, name="runs"),
]
