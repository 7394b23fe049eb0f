"""How other code may enter an app, and that every door has its guard."""

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import grimp
import pytest
from celery import current_app
from django.conf import settings
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from rest_framework.viewsets import ViewSetMixin

from core.api import SCOPES, ApiPermission

# Whoever may see these without signing in, and why.
OPEN = {
    "accounts/login/": "where people sign in",
    "accounts/logout/": "ends a session, by POST",
    "healthz": "a watcher asks whether the process lives",
    "readyz": "a load balancer asks whether to send requests",
    "metrics": "Prometheus reads it; holds numbers only",
    "language/": "the login page has both languages",
    "i18n/": "the login page has both languages",
    "hooks/": "senders have keys, not sessions",
    "live/stream": "answers 401 by itself: a stream follows no redirect",
    "admin/": "Django's own login",
    "api/": "tokens and scopes, tested by viewset",
    "static/": "style sheets and scripts",
}
ENTRANCES = {"models", "operations", "queries", "events", "states", "http", "data"}


def _patterns(resolver: URLResolver, prefix: str = "") -> Iterator[tuple[str, URLPattern]]:
    for entry in resolver.url_patterns:
        path = prefix + str(entry.pattern)
        if isinstance(entry, URLResolver):
            yield from _patterns(entry, path)
        else:
            yield path, entry


PAGES = sorted(
    path
    for path, _ in _patterns(get_resolver())
    if not any(path.lstrip("^").startswith(opening) for opening in OPEN)
)
VIEWSETS = sorted(
    {
        (path, entry.callback.cls)  # type: ignore[attr-defined]
        for path, entry in _patterns(get_resolver())
        if isinstance(getattr(entry.callback, "cls", None), type)
        and issubclass(entry.callback.cls, ViewSetMixin)  # type: ignore[attr-defined]
    },
    key=lambda pair: pair[0],
)


def _address(path: str) -> str:
    """An address that the pattern takes: converters and named groups filled with what fits."""
    if not path.startswith("^"):
        return "/" + re.sub(r"<(?:(\w+):)?\w+>", _sample, path)
    plain = re.sub(r"\(\?P<\w+>([^)]*)\)", _first_choice, path.strip("^$"))
    return "/" + plain.replace("/?", "/")


def _sample(converter: re.Match[str]) -> str:
    kinds = {"int": "1", "uuid": "01890000-0000-7000-8000-000000000000"}
    return kinds.get(converter[1] or "", "x")


def _first_choice(group: re.Match[str]) -> str:
    return "1" if r"\d" in group[1] else group[1].split("|")[0]


@pytest.mark.django_db
@pytest.mark.parametrize("path", PAGES)
def test_a_page_sends_whoever_is_not_signed_in_to_the_login_page(path: str) -> None:
    url = _address(path)

    response = Client().get(url)

    assert response.status_code in (302, 401, 403, 405), url
    if response.status_code == 302:
        assert response["Location"].startswith("/accounts/login/")


@pytest.mark.parametrize(("path", "view"), VIEWSETS)
def test_a_resource_asks_for_a_known_scope(path: str, view: type) -> None:
    assert ApiPermission in view.permission_classes  # type: ignore[attr-defined]
    assert view.read_scope in SCOPES  # type: ignore[attr-defined]
    assert view.write_scope in SCOPES  # type: ignore[attr-defined]


def test_every_task_survives_a_message_from_a_newer_release() -> None:
    for app in settings.LOCAL_APPS:
        if (Path(settings.BASE_DIR) / app / "tasks.py").exists():
            import_module(f"{app}.tasks")
    ours = {
        name: task
        for name, task in current_app.tasks.items()
        if name.split(".")[0] in settings.LOCAL_APPS
    }

    assert ours
    for name, task in ours.items():
        code = task.run.__code__
        assert code.co_flags & 0x08, f"{name} must swallow unknown keywords (**unknown)"
        assert code.co_argcount == 0, f"{name} must take keywords only"


def test_an_app_is_entered_only_through_its_public_modules() -> None:
    graph = grimp.build_graph(*settings.LOCAL_APPS, include_external_packages=False)
    wrong = set()
    for importer in graph.modules:
        for imported in graph.find_modules_directly_imported_by(importer):
            there, _, rest = imported.partition(".")
            if importer.split(".")[0] in (there, "config") or there == "core" or not rest:
                continue
            module = rest.split(".")[0]
            if module == "api" and importer.split(".")[1] == "api":
                continue
            if module not in ENTRANCES:
                wrong.add(f"{importer} -> {imported}")
    assert not wrong


def test_every_operation_that_others_call_is_named_in_a_test() -> None:
    """Modules that only other operations call are tested through those."""
    graph = grimp.build_graph(*settings.LOCAL_APPS, include_external_packages=False)
    said = "".join(p.read_text() for p in (Path(settings.BASE_DIR) / "tests").rglob("*.py"))
    missing = []
    for module in graph.modules:
        app, _, rest = module.partition(".operations.")
        if not rest or "." in rest:
            continue
        callers = graph.find_modules_that_directly_import(module)
        inside = f"{app}.operations"
        if any(not caller.startswith(inside) for caller in callers) and rest not in said:
            missing.append(module)
    assert not missing
