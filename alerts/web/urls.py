from django.urls import path, re_path

from alerts.web import hooks, receipts, sources, views

app_name = "alerts"
urlpatterns = [
    path("hooks/receipts/<uuid:receipt_id>", hooks.receipt, name="hook-receipt"),
    re_path(r"^hooks/(?P<kind>[a-z0-9_-]+)(?:/(?P<key>[^/]+))?/?$", hooks.hook, name="hook"),
    path("alerts/", views.alerts, name="alerts"),
    path("alerts/new/<int:after>/", views.new_alerts, name="new-alerts"),
    path("alerts/last-hour/", views.hour_panel, name="last-hour"),
    path("alerts/<int:pk>/", views.alert, name="alert"),
    path("alert-groups/", views.groups, name="groups"),
    path("alert-groups/<int:pk>/", views.group, name="group"),
    path("receipts/", receipts.receipts, name="receipts"),
    path("receipts/<uuid:pk>/", receipts.receipt, name="receipt"),
    path("receipts/<uuid:pk>/replay/", receipts.replay, name="replay"),
    path("settings/sources/", sources.sources, name="sources"),
    path("settings/sources/create/", sources.create, name="create-source"),
    path("settings/sources/<int:pk>/key/", sources.new_key, name="new-key"),
]
