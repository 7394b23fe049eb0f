"""Components that alerts name and the fleet does not know: listed, never an error."""

from collections.abc import Iterable

from alerts.correlation import Fact
from fleet.models import Kind
from fleet.operations import components

MOST = 200  # a batch; the next one takes the rest


def register(facts: Iterable[Fact]) -> None:
    places = {f.place.path: f for f in facts if f.place.path and not f.place.known}
    for path, fact in sorted(places.items())[:MOST]:
        if fact.place.kind in Kind.values:
            components.register_unknown(
                path=path, kind=fact.place.kind, region=fact.place.region, at=fact.event_at
            )
