"""HTTP: middleware, templates, sessions, static files, REST, content policy."""

from urllib.parse import urlsplit

from csp.constants import SELF

from config.settings.base import BASE_DIR, LIVE_URL, env
from config.settings.static import STATICFILES_FINDERS as STATICFILES_FINDERS
from config.settings.static import VENDOR_STATIC

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
ASGI_APPLICATION = "config.asgi.application"
ALLOWED_HOSTS = env.list("WARROOM_HOSTS", default=["127.0.0.1", "localhost", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("WARROOM_ORIGINS", default=[])
APPEND_SLASH = True

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "core.http.middleware.LocaleAndZone",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "core.http.middleware.Refusals",
]
SESSION_COOKIE_AGE = 14 * 24 * 3600
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "core.web.errors.no_csrf"
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
DATA_UPLOAD_MAX_MEMORY_SIZE = 4 * 1024 * 1024

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "core.web.context.site",
            ],
        },
    }
]

STATIC_URL = "static/"
STATIC_ROOT = env.path("WARROOM_STATIC", default=str(BASE_DIR / "staticfiles"))
STATICFILES_DIRS = [BASE_DIR / "static", *VENDOR_STATIC]
WHITENOISE_KEEP_ONLY_HASHED_FILES = True  # halves what the set-up compresses
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "config.staticfiles.HashedStorage"},
}

_live = urlsplit(LIVE_URL)
LIVE_ORIGIN = f"{_live.scheme}://{_live.netloc}" if _live.netloc else ""
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF, LIVE_ORIGIN] if LIVE_ORIGIN else [SELF],
        "worker-src": [SELF],
        "frame-ancestors": ["'none'"],
        "base-uri": [SELF],
        "form-action": [SELF],
    }
}

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "people.http.TokenAuthentication",
        "people.http.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["core.rest.ApiPermission"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["core.rest.JsonBody"],
    "DEFAULT_PAGINATION_CLASS": "core.rest.CursorPages",
    "DEFAULT_FILTER_BACKENDS": ["core.rest.Filters"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "core.api.problem_details",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "War Room API",
    "DESCRIPTION": "Everything that the pages can do. Errors are RFC 9457 problem details.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "ENUM_NAME_OVERRIDES": {
        "IncidentStateEnum": "warroom.states.IncidentState",
        "RoomStateEnum": "warroom.states.RoomState",
        "ParticipantStateEnum": "warroom.states.ParticipantState",
        "ClockStateEnum": "warroom.states.ClockState",
        "AlertStateEnum": "alerts.states.AlertState",
        "AlertGroupStateEnum": "alerts.states.GroupState",
        "ReceiptStateEnum": "alerts.states.ReceiptState",
        "SeverityEnum": "alerts.states.Severity",
        "ComponentStateEnum": "fleet.states.State",
        "JobStateEnum": "fleet.states.JobState",
        "DeliveryStateEnum": "notifications.states.State",
        "RunStateEnum": "sops.states.RunState",
        "StepStateEnum": "sops.states.StepState",
        "PostmortemStateEnum": "postmortems.states.PostmortemState",
        "IncidentActionEnum": "warroom.states.Action",
        "StepActionEnum": "sops.states.Action",
        "ComponentActionEnum": "fleet.states.Action",
    },
}
