from django.urls import path, re_path

from alerts.web import hooks

app_name = "alerts"
urlpatterns = [
    path("hooks/receipts/<uuid:receipt_id>", hooks.receipt, name="hook-receipt"),
    re_path(r"^hooks/(?P<kind>[a-z0-9_-]+)(?:/(?P<key>[^/]+))?/?$", hooks.hook, name="hook"),
]
