"""Every address of the product. Pages end with a slash, hooks and the API do not."""

from importlib import import_module
from importlib.util import find_spec

from django.conf import settings
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.routers import SimpleRouter

router = SimpleRouter(use_regex_path=False, trailing_slash=False)
for app in settings.LOCAL_APPS:
    if find_spec(f"{app}.api") and find_spec(f"{app}.api.urls"):
        import_module(f"{app}.api.urls").register(router)

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/v1/schema", SpectacularAPIView.as_view(), name="schema"),
    path("api/v1/docs/", SpectacularSwaggerSplitView.as_view(url_name="schema"), name="api-docs"),
    path("api/v1/", include(router.urls)),
    path("admin/", admin.site.urls),
]
for app in settings.LOCAL_APPS:
    if find_spec(f"{app}.web") and find_spec(f"{app}.web.urls"):
        urlpatterns.append(path("", include(f"{app}.web.urls")))

handler403 = "core.web.errors.forbidden"
handler404 = "core.web.errors.not_found"
handler500 = "core.web.errors.broken"
