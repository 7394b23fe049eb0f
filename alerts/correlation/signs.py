"""The closed list of meanings that a rule may give an alert, and how each one weighs.

`scope` is what the sign is about, `family` how the engine groups and matches it, `weight` how well it
names a root (0 to 100; no source: the order is domain.md 2.2, the numbers are this project's own).
"""

from dataclasses import dataclass

CAUSE, SYMPTOM, IGNORED = "cause", "symptom", "ignored"


@dataclass(frozen=True, slots=True)
class Sign:
    scope: str
    family: str
    kind: str = CAUSE
    failure_class: str = ""
    event_class: str = ""
    weight: int = 0
    layer: str = ""


def _card(weight: int, event_class: str, family: str = "card_hard", cls: str = "DRV") -> Sign:
    return Sign("card", family, CAUSE, cls, event_class, weight, "hardware")


def _node(weight: int, cls: str, family: str = "node_lost") -> Sign:
    return Sign("node", family, CAUSE, cls, "", weight, "hardware")


def _net(scope: str, weight: int, family: str = "net_hard") -> Sign:
    return Sign(scope, family, CAUSE, "NIN", "E5", weight, "network")


def _job(family: str, cls: str = "", scope: str = "job") -> Sign:
    return Sign(scope, family, SYMPTOM, cls, "", 0, "job")


SIGNS: dict[str, Sign] = {
    "card_lost": _card(90, "E1"),
    "card_memory": _card(90, "E3"),
    "card_bus": _card(85, "E2"),
    "card_power": _card(80, "E4"),
    "card_fatal_heat": _card(80, "E4"),
    "driver_fault": _card(80, "E6"),
    "card_fault": _card(75, "E7"),
    "silent_error": _card(70, "E7"),
    "card_compute": _card(60, "E7"),
    "slow_node": _card(70, "E7", "card_soft", "PSD"),
    "card_throttle": _card(60, "E7", "card_soft", "PSD"),
    "card_heat": _card(40, "E4", "card_soft", "PSD"),
    "card_warning": _card(30, "", "card_soft", "PSD"),
    "node_power_off": _node(90, "NCR"),
    "node_fatal": _node(88, "NCR"),
    "node_reboot": _node(85, "NCR"),
    "node_down": _node(80, "NCR"),
    "node_silent": _node(70, "NHG"),
    "node_hang": _node(60, "NHG", "node_hang"),
    "bmc_alive": _node(10, "NHG", "node_hang"),
    "bmc_lost": _node(10, "NCR", "node_soft"),
    "node_psu": _node(50, "NCR", "node_soft"),
    "node_fan": _node(20, "PSD", "node_soft"),
    "node_part": _node(45, "NCR", "node_soft"),
    "power": Sign("facility", "power", CAUSE, "NCR", "", 95, "facility"),
    "cooling": Sign("facility", "cooling", CAUSE, "NCR", "", 90, "facility"),
    "link_down": _net("link", 80),
    "link_flap": _net("link", 70),
    "optics": _net("link", 50, "net_soft"),
    "link_degraded": _net("link", 45, "net_soft"),
    "slow_network": _net("node", 30, "net_soft"),
    "network_path": _net("node", 60),
    "plane_fault": _net("plane", 85),
    "switch_down": _net("switch", 90),
    "line_down": _net("line", 90, "line"),
    "storage_fault": Sign("service", "storage", CAUSE, "PSD", "", 80, "storage"),
    "control_down": Sign("service", "service", CAUSE, "TLF", "", 80, "platform"),
    "service_down": Sign("service", "service", CAUSE, "", "", 70, "platform"),
    "version_drift": Sign("node", "drift", CAUSE, "TLF", "", 40, "platform"),
    "storage_client": _job("ckpt", "PSD", "client"),
    "ckpt_slow": _job("ckpt", "PSD"),
    "ckpt_failed": _job("ckpt", "PSD"),
    "ckpt_old": _job("ckpt", "PSD"),
    "no_checkpoint": _job("ckpt", "PSD"),
    "blocked_in_save": _job("ckpt", "PSD"),
    "job_stalled": _job("stall", "NHG"),
    "job_failed": _job("stall"),
    "process_exit": _job("exit", "", "card"),
    "waits_for_peer": _job("wait", "NHG", "card"),
    "hang_seen": _job("wait", "NHG", "card"),
    "launch_failed": _job("launch", "TLF"),
    "waits_at_launch": _job("launch", "TLF", "card"),
    "unschedulable": _job("launch", "TLF"),
    "image_pull": _job("launch", "TLF", "node"),
    "job_slow": _job("slow", "PSD"),
    "data_slow": _job("slow", "PSD"),
    "comm_slow": _job("comm", "PSD", "card"),
    "op_retry": _job("retry", "NIN", "card"),
    "comm_error": _job("retry", "NIN", "card"),
    "loss_nan": _job("nan"),
    "job_other": _job("other"),
    "exporter_down": Sign("node", "exporter", SYMPTOM, "", "", 0, "monitoring"),
    "monitoring_fault": Sign("monitoring", "monitoring", CAUSE, "", "", 60, "monitoring"),
    "source_lost": Sign("monitoring", "ignored", IGNORED),
    "test": Sign("any", "ignored", IGNORED),
    "advice": Sign("any", "ignored", IGNORED),
    "unknown": Sign("any", "unknown", CAUSE),
}

STANDS_STILL = frozenset(
    {"job_stalled", "job_failed", "process_exit", "waits_for_peer", "hang_seen", "launch_failed"}
    | {"waits_at_launch", "blocked_in_save", "unschedulable", "image_pull"}
)
"""Symptoms that mean the job makes no step."""

FATAL_CARD = frozenset(
    {"card_lost", "card_memory", "card_bus", "card_power", "card_fatal_heat", "driver_fault"}
)
"""Signs of classifier rule 1 (E1 to E4 and E6)."""
