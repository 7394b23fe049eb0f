from django.urls import path, re_path

from notifications.web import views

app_name = "notifications"
urlpatterns = [
    path("inbox/", views.inbox, name="inbox"),
    path("inbox/list/", views.inbox_list, name="inbox-list"),
    path("inbox/read/", views.inbox_read, name="inbox-read-all"),
    path("inbox/<int:pk>/", views.inbox_open, name="inbox-open"),
    path("inbox/<int:pk>/read/", views.inbox_read, name="inbox-read"),
    path(
        "incidents/<int:number>/deliveries/",
        views.incident_deliveries,
        name="incident-deliveries",
    ),
    path("incidents/<int:number>/deliveries/log/", views.incident_log, name="incident-log"),
    path("incidents/<int:number>/deliveries/panel/", views.incident_panel, name="incident-panel"),
    path("settings/channels/", views.channel_page, name="channels"),
    path("settings/channels/list/", views.channel_list, name="channel-list"),
    re_path(r"^settings/channels/(?P<verb>add|test)/$", views.channel_act, name="channel-new"),
    re_path(
        r"^settings/channels/(?P<pk>\d{1,18})/(?P<verb>remove|on|off|first)/$",
        views.channel_act,
        name="channel-act",
    ),
]
