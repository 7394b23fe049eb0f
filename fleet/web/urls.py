from django.urls import path

from fleet.web import reference, views

app_name = "fleet"
urlpatterns = [
    path("fleet/", views.fleet_map, name="map"),
    path("fleet/panel/", views.board_panel, name="board-panel"),
    path("fleet/unregistered/", views.unregistered, name="unregistered"),
    path("fleet/jobs/", views.jobs, name="jobs"),
    path("fleet/jobs/<str:job_id>/", views.job, name="job"),
    path("fleet/components/<path:path>/actions/", views.component_action, name="action"),
    path("fleet/components/<path:path>/", views.component, name="component"),
    path("fleet/failure-classes/", reference.failure_classes, name="failure-classes"),
    path("fleet/fault-codes/", reference.fault_codes, name="fault-codes"),
    path("fleet/indicators/", reference.indicators, name="indicators"),
]
