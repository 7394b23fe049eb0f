"""Liveness, readiness and metrics for whatever watches us. No login, no secrets in the answers."""

from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_safe
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily

from core import registry
from core.queries import ready_broker


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok\n", content_type="text/plain")


@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """503 with the sentences of what is not ready. A broker that is away only slows us down."""
    at = timezone.now()
    problems = {name: check(at) for name, check in registry.readiness.items()}
    if not problems.get("database"):
        problems["migrations"] = _migrations()
    failing = {name: text for name, text in problems.items() if text}
    body = {"ready": not failing, "problems": failing, "notes": [t for t in [ready_broker()] if t]}
    return JsonResponse(body, status=503 if failing else 200)


def _migrations() -> str:
    executor = MigrationExecutor(connection)
    missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return f"migrations: {len(missing)} not applied" if missing else ""


class _Collector:
    def collect(self):  # type: ignore[no-untyped-def]  # noqa: ANN202
        at = timezone.now()
        families: dict[str, GaugeMetricFamily] = {}
        for source in registry.metrics:
            for one in source(at):
                family = families.setdefault(
                    one.name, GaugeMetricFamily(one.name, one.help, labels=list(one.labels))
                )
                family.add_metric(list(one.labels.values()), one.value)
        return families.values()


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    collectors = CollectorRegistry(auto_describe=False)
    collectors.register(_Collector())
    return HttpResponse(generate_latest(collectors), content_type="text/plain; version=0.0.4")
