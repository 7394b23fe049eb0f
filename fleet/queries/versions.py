"""What nodes run against what they should."""

from dataclasses import dataclass

from django.db.models import Q, QuerySet

from fleet.models import NodeVersion, VersionBaseline


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    node: str
    path: str
    package: str
    expected: str
    actual: str


def drift(under: str = "") -> list[Drift]:
    """Nodes whose last seen version differs from the baseline of their region or site."""
    seen: QuerySet[NodeVersion] = NodeVersion.objects.select_related("node").order_by(
        "node__path", "package"
    )
    if under:
        seen = seen.filter(Q(node__path=under) | Q(node__path__startswith=f"{under}/"))
    baselines = {(b.region, b.package): b.version for b in VersionBaseline.objects.all()}
    expected = set(baselines.values())
    found = []
    for one in seen.exclude(version__in=expected):
        wanted = baselines.get((one.node.region, one.package), baselines.get(("", one.package)))
        if wanted is not None:
            found.append(
                Drift(
                    node=one.node.name,
                    path=one.node.path,
                    package=one.package,
                    expected=wanted,
                    actual=one.version,
                )
            )
    return found
