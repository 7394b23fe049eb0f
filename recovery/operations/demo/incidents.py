"""The incident of each fault of the demo's month: class, root, people's pace. Pure."""

import random
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from recovery.operations.demo.planning import Fault
from recovery.states import StageSlug
from warroom.operations.history import PastIncident, PastJob

LATE_BEFORE, LATE_AFTER = 0.3, 0.04  # share of assemblies that are late, first and last days
SUPERNODES = {
    "pt-moe-700b-0318": range(1, 17),
    "pt-dense-135b-0311": range(17, 25),
    "sft-32b-0316": range(25, 29),
}
BECAUSE = {
    "slug": "hard_error",
    "en": "a hard error on a component that carries a job",
    "zh": "承载任务的部件出现硬故障",
}
TIER_3 = {
    "slug": "one_job",
    "en": "one job, part of one supernode",
    "zh": "单个任务、超节点的一部分",
}
TIER_2 = {"slug": "plane", "en": "a whole plane of a supernode", "zh": "超节点的整个平面"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind of fault: how often, what it is called, and where it sits."""

    weight: int
    failure_class: str
    event_class: str
    level: str
    cause: str
    restored: dict[str, str]
    facts: tuple[str, ...] = ()


# Shares as in the published interruption statistics of large training runs.
KINDS = (
    Kind(
        weight=26,
        failure_class="DRV",
        event_class="E3",
        level="card",
        cause="80E01801",
        restored={
            "en": "Card isolated, its node replaced, job restarted from the last checkpoint.",
            "zh": "隔离故障卡并替换节点，从最近 CKPT 恢复训练。",
        },
    ),
    Kind(
        weight=14,
        failure_class="DRV",
        event_class="E1",
        level="card",
        cause="40F84E00",
        restored={
            "en": "Node rebooted, card back; job restarted.",
            "zh": "重启节点后卡恢复，任务重启。",
        },
    ),
    Kind(
        weight=16,
        failure_class="NIN",
        event_class="E5",
        level="link",
        cause="81078603",
        facts=("network",),
        restored={
            "en": "Fibre cleaned, link stable for ten minutes; job restarted.",
            "zh": "清洁光纤，链路稳定十分钟后重启任务。",
        },
    ),
    Kind(
        weight=4,
        failure_class="NIN",
        event_class="E5",
        level="plane",
        cause="020001002",
        facts=("network", "plane"),
        restored={
            "en": "Sub-plane bypassed, routes converged; job restarted.",
            "zh": "绕过故障子平面，路由收敛后重启任务。",
        },
    ),
    Kind(
        weight=14,
        failure_class="NCR",
        event_class="",
        level="node",
        cause="2C000031",
        restored={
            "en": "Node out for repair; job moved to another node.",
            "zh": "故障节点送修，任务迁移到其他节点。",
        },
    ),
    Kind(
        weight=12,
        failure_class="NHG",
        event_class="E7",
        level="node",
        cause="200001002",
        restored={
            "en": "Evidence saved, hung node cordoned and power-cycled.",
            "zh": "保留现场，隔离并重启卡死节点。",
        },
    ),
    Kind(
        weight=8,
        failure_class="TLF",
        event_class="",
        level="nodes",
        cause="24.1.RC2",
        facts=("version_cause",),
        restored={
            "en": "Two nodes with an old driver excluded; launch succeeded.",
            "zh": "排除两台驱动版本不一致的节点后拉起成功。",
        },
    ),
    Kind(
        weight=6,
        failure_class="PSD",
        event_class="E7",
        level="card",
        cause="110001010",
        restored={
            "en": "Slow node switched out at a step boundary.",
            "zh": "在步边界热切慢节点。",
        },
    ),
)


def of(fault: Fault) -> PastIncident:
    dice = random.Random(f"incident-{fault.number}-{fault.luck}")  # noqa: S311
    kind = dice.choices(KINDS, [one.weight for one in KINDS])[0]
    detected_at, located_at = _seen(fault)
    opened_at = detected_at + timedelta(seconds=dice.randint(2, 12), microseconds=fault.number)
    last = fault.recoveries[-1]
    affected, root = _where(dice, kind, fault)
    alerts = dice.randint(6, 60) if kind.level != "plane" else dice.randint(600, 2400)
    return PastIncident(
        region=fault.job.region,
        failure_class=kind.failure_class,
        event_class=kind.event_class,
        tier=2 if kind.level == "plane" else 3,
        because=BECAUSE,
        tier_because=TIER_2 if kind.level == "plane" else TIER_3,
        facts=dict.fromkeys((*kind.facts, "hard_error", "job_interrupted"), True),
        root=root,
        affected=affected,
        impact=_impact(fault),
        occurred_at=fault.at,
        detected_at=detected_at,
        opened_at=opened_at,
        acknowledged_at=opened_at + timedelta(seconds=dice.randint(25, 170)),
        located_at=max(located_at, opened_at + timedelta(seconds=180)),
        closed_at=fault.restored_at + timedelta(minutes=dice.randint(8, 19)),
        arrivals=_arrivals(dice, fault, (fault.restored_at - opened_at).total_seconds() / 60),
        jobs=[
            PastJob(
                job_id=fault.job.job_id,
                restored_at=fault.restored_at,
                lost_steps=last.step_at_fault - last.checkpoint_step,
                checkpoint_step=last.checkpoint_step,
            )
        ],
        what_restored=kind.restored,
        alert_count=alerts,
        received_count=alerts + dice.randint(0, alerts // 3),
    )


def _seen(fault: Fault) -> tuple[datetime, datetime]:
    """When the fault was detected and located: the ends of those stages of the first restart."""
    ends = {stage.stage: stage.ended_at for stage in fault.recoveries[0].stages}
    return ends[StageSlug.FAULT_DETECTION], ends[StageSlug.DIAGNOSIS]


def _arrivals(dice: random.Random, fault: Fault, until_restored: float) -> list[float]:
    """Minutes until each joined; before the job ran again, and at times one is late."""
    most = min(9.5, max(2.0, until_restored * 0.7))
    minutes = [round(min(most, dice.lognormvariate(0.9, 0.5)), 2) for _ in range(6)]
    late = LATE_BEFORE + (LATE_AFTER - LATE_BEFORE) * fault.skill
    if fault.luck < late and until_restored > 12:
        minutes[dice.randint(1, 5)] = round(dice.uniform(10.4, min(16.0, until_restored)), 2)
    return minutes


def _where(dice: random.Random, kind: Kind, fault: Fault) -> tuple[dict[str, Any], dict[str, Any]]:
    number = dice.choice(SUPERNODES[fault.job.job_id])
    supernode = f"{fault.job.region}/sn{number:02d}"
    node, card = dice.randint(1, 47), dice.randint(0, 7)
    place = f"{supernode}/sn{number:02d}-n{node:02d}"
    beside = f"{supernode}/sn{number:02d}-n{node + 1:02d}"
    leaf = f"{fault.job.region}/switch:leaf-roce-{number:02d}-{card % 4 + 1}"
    paths = {
        "card": [f"{place}/{card}"],
        "link": [f"{place}/{card}", leaf],
        "node": [place],
        "nodes": [place, beside],
        "plane": [f"{supernode}/plane:ub/{dice.randint(1, 7)}"],
    }[kind.level]
    nodes = {"plane": 48, "nodes": 2}.get(kind.level, 1)
    cards = {"card": 1, "link": 1}.get(kind.level, nodes * 8)
    affected = {
        "jobs": [fault.job.job_id],
        "nodes": nodes,
        "cards": cards,
        "supernodes": 1 if kind.level == "plane" else 0,
    }
    root = {
        "level": kind.level,
        "path": paths[0] if len(paths) == 1 else "",
        "paths": paths,
        "cause": kind.cause,
        "confidence": round(dice.uniform(0.7, 0.97), 2),
        "evidence_for": [],
        "evidence_against": [],
    }
    return affected, root


def _impact(fault: Fault) -> dict[str, Any]:
    last = fault.recoveries[-1]
    return {
        "type": "interrupted",
        "jobs": [fault.job.job_id],
        "cards_idle": fault.job.cards,
        "ranks": fault.job.ranks,
        "steps_at_risk": last.step_at_fault - last.checkpoint_step,
    }
