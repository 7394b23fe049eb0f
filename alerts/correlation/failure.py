"""The failure class of a group: domain.md 2.2, first match wins."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

from alerts.correlation.facts import Fact
from alerts.correlation.signs import FATAL_CARD, SIGNS, STANDS_STILL
from alerts.correlation.units import Unit
from alerts.correlation.verdicts import Settings

_CRASH = frozenset({"node_power_off", "node_fatal"})
_OTHER_CHIP = frozenset({"card_fault", "card_compute", "silent_error"})
_JOB_FAMILIES = frozenset(
    {"stall", "exit", "wait", "launch", "slow", "comm", "ckpt", "retry", "nan", "other"}
)


@dataclass
class Evidence:
    """What the classifier asks of a group."""

    unit: Unit
    settings: Settings

    @cached_property
    def families(self) -> frozenset[str]:
        return self.unit.families

    @cached_property
    def told(self) -> frozenset[str]:
        return frozenset(SIGNS[f.signal.sign].family for f in self.unit.symptoms)

    @cached_property
    def told_signs(self) -> frozenset[str]:
        return frozenset(f.signal.sign for f in self.unit.symptoms)

    @cached_property
    def first_symptom(self) -> datetime | None:
        at = [
            f.event_at for f in self.unit.symptoms if SIGNS[f.signal.sign].family in _JOB_FAMILIES
        ]
        return min(at, default=None)

    @cached_property
    def interrupted(self) -> bool:
        return bool(self.told_signs & STANDS_STILL)

    @cached_property
    def only_slow(self) -> bool:
        return bool(self.told & {"slow", "comm"}) and not self.interrupted

    def causes(self, *signs: str) -> list[Fact]:
        return [f for f in self.unit.facts if f.signal.sign in signs]

    def first(self, *signs: str) -> datetime | None:
        return min((f.event_at for f in self.causes(*signs)), default=None)

    def before_symptom(self, at: datetime | None) -> bool:
        if at is None:
            return False
        return self.first_symptom is None or at <= self.first_symptom + self.settings.window

    @cached_property
    def lost(self) -> set[str]:
        return {
            f.place.node
            for f in self.unit.facts
            if SIGNS[f.signal.sign].family == "node_lost" and f.place.node
        }

    @cached_property
    def crashed(self) -> bool:
        """Rule 2: lost and off, restarted, without power, or with a fatal event of its BMC."""
        unit = self.unit
        if unit.level == "supernode" and "node_lost" in self.families:
            return True
        if self.families & {"power", "cooling"} and (self.lost or "node_soft" in self.families):
            return True
        if unit.signs & _CRASH and any(f.hard for f in self.causes(*_CRASH)):
            return True
        if not self.lost:
            return False
        if "bmc_alive" in unit.signs or ("node_hang" in self.families and not self._restarted):
            return False
        dead = unit.signs & {"node_down", "node_psu", "bmc_lost"}
        return bool(dead) or self._restarted or len(self.lost) >= self.settings.many_nodes

    @cached_property
    def _restarted(self) -> bool:
        """A restart near the loss; one that comes later is how somebody cured it."""
        lost = self.first("node_silent", "node_down", "node_power_off")
        boot = self.first("node_reboot")
        return boot is not None and (lost is None or boot <= lost + timedelta(minutes=5))

    @cached_property
    def crash_at(self) -> datetime | None:
        found = [
            f.event_at
            for f in self.unit.facts
            if SIGNS[f.signal.sign].family in ("node_lost", "power", "cooling")
        ]
        return min(found, default=None)


def failure_class(seen: Evidence) -> tuple[str | None, str]:
    """The class and its subtype; None when nothing a class stands for has been seen."""
    found = _physical(seen)
    if found is not None:
        return found, "found_at_launch" if "launch" in seen.told else ""
    if "launch" in seen.told or _service_for_launch(seen):
        return "TLF", ""
    slow = _performance(seen)
    if slow is not None:
        return "PSD", slow
    return _from_symptoms(seen), ""


def _physical(seen: Evidence) -> str | None:
    """Rules 1 to 4."""
    if seen.unit.level == "monitoring":
        return None
    if _chip(seen):
        return "DRV"
    if seen.crashed or _heated_room(seen):
        return "NCR"
    if _hung(seen):
        return "NHG"
    if _network(seen):
        return "NIN"
    return "DRV" if _other_chip(seen) else _broken_host(seen)


def _chip(seen: Evidence) -> bool:
    """Rule 1, unless the card only went because its node did."""
    codes = [f for f in seen.causes(*FATAL_CARD) if f.hard or seen.interrupted]
    if not codes or seen.unit.software or seen.only_slow:
        return False
    at = min(f.event_at for f in codes)
    if not seen.before_symptom(at):
        return False
    if not seen.crashed or seen.crash_at is None:
        return True
    lost_first = all(f.signal.sign == "card_lost" for f in codes)
    margin = seen.settings.skew if lost_first else timedelta()
    return at < seen.crash_at - margin if lost_first else at < seen.crash_at


def _heated_room(seen: Evidence) -> bool:
    heat = bool(seen.unit.signs & {"card_heat", "card_fatal_heat", "card_throttle"})
    plant = bool(seen.families & {"power", "cooling"})
    return (plant and (heat or seen.unit.hard)) or (heat and seen.unit.level == "nodes" and plant)


def _hung(seen: Evidence) -> bool:
    """Rule 3: silent but powered; or a kernel that hangs under a job that stands still."""
    if seen.unit.signs & {"node_silent"} or (seen.lost and "bmc_alive" in seen.unit.signs):
        return True
    return "node_hang" in seen.families and (
        seen.interrupted or any(f.hard for f in seen.causes("node_hang"))
    )


def _network(seen: Evidence) -> bool:
    """Rule 4. Small network signs count only when a job feels them."""
    if "line" in seen.families or "net_hard" in seen.families:
        return seen.unit.hard or bool(seen.told)
    if "net_soft" not in seen.families:
        return False
    return bool(seen.told & _JOB_FAMILIES) and not seen.families & {"card_soft", "storage"}


def _other_chip(seen: Evidence) -> bool:
    """E7 codes are the chip's when nothing above explains them and they are not the program's."""
    if seen.unit.software or seen.only_slow:
        return False
    hot = seen.causes("card_heat")
    return any(f.hard for f in (*seen.causes(*_OTHER_CHIP), *hot))


def _broken_host(seen: Evidence) -> str | None:
    parts = seen.causes("node_part", "node_psu")
    return "NCR" if any(f.hard for f in parts) and not seen.only_slow else None


def _service_for_launch(seen: Evidence) -> bool:
    return any(f.hard for f in seen.causes("control_down"))


def _performance(seen: Evidence) -> str | None:
    """Rule 6: the subtype, "" for none, None when the job is not slow."""
    stored = seen.told & {"ckpt"} or any(f.hard for f in seen.causes("storage_fault"))
    if stored:
        return "PSD-CKPT"
    slow = bool(seen.told & {"slow", "comm"})
    if "card_soft" in seen.families or "node_soft" in seen.families:
        named = bool(seen.unit.signs & {"slow_node", "card_throttle"})
        if slow or "slow_node" in seen.unit.signs or (named and seen.unit.hard):
            return "PSD-SLOWNODE"
    if slow or any(f.hard for f in seen.causes("service_down")):
        return ""
    return None


def _from_symptoms(seen: Evidence) -> str | None:
    """A job that stands still for no reason anybody has told."""
    if seen.told_signs & {"process_exit", "job_failed"}:
        serious = any(f.hard for f in seen.unit.symptoms)
        return "TLF" if serious and not seen.told_signs & {"job_stalled", "hang_seen"} else "NHG"
    if seen.told & {"stall", "wait"}:
        return "NHG"
    if any(f.hard for f in seen.unit.symptoms if f.signal.sign == "comm_error"):
        return "NIN"
    return "DRV" if seen.unit.software and seen.unit.hard else None
