from django.contrib.auth import views as auth
from django.urls import include, path

from people.web import account, duty

pages = [
    path("duty/", duty.duty_page, name="duty"),
    path("duty/now/", duty.duty_now, name="duty-now"),
    path("duty/panel/", duty.duty_panel, name="duty-panel"),
    path("duty/overrides/", duty.override_add, name="override-add"),
    path("duty/overrides/<int:pk>/end/", duty.override_end, name="override-end"),
    path("duty/matrix/", duty.matrix_page, name="matrix"),
    path("duty/matrix/grid/", duty.matrix_grid, name="matrix-grid"),
    path("duty/matrix/cell/", duty.matrix_cell, name="matrix-cell"),
    path("me/", account.profile, name="me"),
    path("settings/tokens/", account.token_list, name="tokens"),
    path("settings/tokens/<int:pk>/revoke/", account.token_revoke, name="token-revoke"),
]
# Django's own words (`login`, `logout`) have no name space; everything else is `people:…`.
urlpatterns = [
    path("accounts/login/", auth.LoginView.as_view(redirect_authenticated_user=True), name="login"),
    path("accounts/logout/", auth.LogoutView.as_view(), name="logout"),
    path("", include((pages, "people"))),
]
