"""The state of one climb: units, and which of them turn out to be one."""

from collections.abc import Iterable
from dataclasses import dataclass

from alerts.correlation.sets import Joined
from alerts.correlation.topology import Topology
from alerts.correlation.units import RANK, Unit, merged
from alerts.correlation.verdicts import Settings


@dataclass
class Climber:
    """One pass over the units; `joined` and `levels` are indexed by unit."""

    units: list[Unit]
    topology: Topology
    settings: Settings

    def __post_init__(self) -> None:
        self.joined = Joined(len(self.units))

    def raise_level(self, members: Iterable[int], level: str, wide: str) -> None:
        """A wider level is never lowered again."""
        for i in members:
            if RANK[level] > RANK.get(self.units[i].level, 0):
                self.units[i].level, self.units[i].wide = level, wide

    def settle(self) -> list[Unit]:
        self.units = merged(self.units, self.joined)
        self.joined = Joined(len(self.units))
        return self.units
