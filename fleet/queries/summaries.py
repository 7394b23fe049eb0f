"""The fleet at a glance: one square a supernode."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db.models import Count, Q

from fleet.models import Component, Kind
from fleet.states import OUT, State

REGION_WIDE = (Kind.PLANE, Kind.REGION)


@dataclass(frozen=True, slots=True, kw_only=True)
class SupernodeSummary:
    """One square of the map. `working` counts cards that a job may use, out of `cards`."""

    region: str
    name: str
    path: str
    cards: int
    working: int
    suspect: int
    out: int
    spare: int

    @property
    def state(self) -> str:
        """down, degraded, suspect, spare or ok: the worst that holds for the whole square."""
        if self.cards and self.spare == self.cards:
            return "spare"
        if self.cards and self.out == self.cards:
            return "down"
        if self.out:
            return "degraded"
        return "suspect" if self.suspect else "ok"


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetSummary:
    supernodes: list[SupernodeSummary] = field(default_factory=list)

    @property
    def cards(self) -> int:
        return sum(one.cards for one in self.supernodes)

    @property
    def by_region(self) -> list[tuple[str, list[SupernodeSummary]]]:
        regions = dict.fromkeys(one.region for one in self.supernodes)
        return [(name, [s for s in self.supernodes if s.region == name]) for name in regions]

    def count(self, state: str) -> int:
        return sum(1 for one in self.supernodes if one.state == state)

    @property
    def down(self) -> int:
        return self.count("down")

    @property
    def degraded(self) -> int:
        return self.count("degraded") + self.count("suspect")

    @property
    def spare(self) -> int:
        return self.count("spare")


def summary(regions: Sequence[str] = ()) -> FleetSummary:
    """Every supernode with its cards by state, in one query."""
    cards = Component.objects.of_kind(Kind.CARD).exclude(supernode="")
    if regions:
        cards = cards.filter(region__in=regions)
    rows = (
        cards.values("region", "supernode")
        .annotate(
            cards=Count("pk"),
            suspect=Count("pk", filter=Q(state=State.SUSPECT)),
            out=Count("pk", filter=Q(state__in=OUT)),
            spare=Count("pk", filter=Q(state=State.SPARE)),
        )
        .order_by("supernode", "region")
    )
    return FleetSummary(
        supernodes=[
            SupernodeSummary(
                region=row["region"],
                name=row["supernode"],
                path=f"{row['region']}/{row['supernode']}",
                cards=row["cards"],
                working=row["cards"] - row["out"] - row["spare"],
                suspect=row["suspect"],
                out=row["out"],
                spare=row["spare"],
            )
            for row in rows
        ]
    )
