"""When what failed in the demo's month, and how each restart went. Pure: a seed and a date."""

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from fleet.models import Job
from recovery.operations.history import PastRecovery, PastStage
from recovery.states import ON_PATH, StageSlug

SEED = 20261130
DAYS = 30
LEARNED_AFTER = 24  # days until the levers are all in place
JOBS = ("pt-moe-700b-0318", "pt-dense-135b-0311", "sft-32b-0316")
JOB_WEIGHTS = (6, 3, 1)
FAULTS_A_DAY = (4, 5, 5, 6, 6, 7)
SPREAD = 0.2  # of the logarithm of a stage's minutes
FAILS, FALLS_BACK = 0.05, 0.12
# Minutes of each stage before and after: illustrative, only the totals 188 and 20 are the aim's.
BEFORE = (30, 25, 15, 8, 25, 7, 35, 20, 20, 3)
AFTER = (1, 1, 2, 1, 3, 1.5, 4, 3, 2, 1.5)
LEVERS = (
    "comm_monitoring",
    "auto_reschedule",
    "orderly_exit",
    "image_hot_load",
    "per_node_load",
    "long_connections",
    "cache_warm",
    "deduplicated_shards",
    "compile_cache",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing that broke, with the restarts it took; the last one succeeded."""

    number: int
    job: Job
    at: datetime
    recoveries: list[PastRecovery]
    luck: float  # 0 to 1, for whatever else about it is drawn
    skill: float  # 0 on the first day, 1 when everything is in place

    @property
    def restored_at(self) -> datetime:
        """Ten steps after the first one."""
        done = self.recoveries[-1].first_step_at or self.at
        return done + timedelta(seconds=10 * (self.job.baseline_step_seconds or 10))


def plan(*, at: datetime, zone: ZoneInfo, jobs: Mapping[str, Job]) -> list[Fault]:
    """The faults of the days before `at` and of its day so far, all over by `at`."""
    dice = random.Random(SEED)  # noqa: S311 - a demo, the same everywhere
    today = at.astimezone(zone).date()
    free = dict.fromkeys(jobs, at - timedelta(days=DAYS + 2))
    faults: list[Fault] = []
    for day in range(DAYS, -1, -1):
        midnight = datetime.combine(today - timedelta(days=day), time.min, tzinfo=zone)
        skill = skill_of(DAYS - day)
        for second in sorted(dice.sample(range(600, 86_000), dice.choice(FAULTS_A_DAY))):
            job_id = dice.choices(JOBS, JOB_WEIGHTS)[0]
            fault_at = midnight + timedelta(seconds=second)
            number = len(faults) + 1
            own = random.Random(f"{SEED}-{day}-{second}")  # noqa: S311
            if job_id not in jobs or fault_at < free[job_id]:
                continue
            fault = _fault(own, number=number, job=jobs[job_id], at=fault_at, skill=skill)
            free[job_id] = fault.restored_at + timedelta(minutes=20)
            if free[job_id] < at:
                faults.append(fault)
    return faults


def skill_of(day: int) -> float:
    """0 on the first day to 1, slow at both ends."""
    x = min(1.0, day / LEARNED_AFTER)
    return x * x * (3 - 2 * x)


def _fault(dice: random.Random, *, number: int, job: Job, at: datetime, skill: float) -> Fault:
    fails = dice.random() < FAILS
    first = _restart(dice, number=number, turn=1, job=job, at=at, skill=skill, fails=fails)
    recoveries = [first]
    if first.failed_at:
        recoveries.append(
            _restart(dice, number=number, turn=2, job=job, at=first.failed_at, skill=skill)
        )
    return Fault(
        number=number, job=job, at=at, recoveries=recoveries, luck=dice.random(), skill=skill
    )


def _restart(
    dice: random.Random,
    *,
    number: int,
    turn: int,
    job: Job,
    at: datetime,
    skill: float,
    fails: bool = False,
) -> PastRecovery:
    falls_back = not fails and dice.random() < FALLS_BACK
    stages = _stages(dice, at, skill, slower=1.5 if falls_back else 1.0)
    if fails:
        stages = stages[: dice.randint(5, 8)]
    end = stages[-1].ended_at
    step_seconds = job.baseline_step_seconds or 10.0
    lost = int(dice.uniform(0.05, 1) * (job.checkpoint_interval_seconds or 3600) / step_seconds)
    step = 20_000 + int((at.timestamp() - 1_790_000_000) / step_seconds) % 400_000
    strategy = _strategy(dice, skill, falls_back)
    return PastRecovery(
        recovery_id=f"r-{at:%Y%m%d}-{number:03d}-{turn}",
        job_id=job.job_id,
        region=job.region,
        cards=job.cards,
        fault_at=at,
        first_step_at=None if fails else end,
        caught_up_at=None if fails else end + timedelta(seconds=lost * step_seconds),
        failed_at=end if fails else None,
        failure_reason="checkpoint shard did not verify" if fails else "",
        strategy=strategy,
        fell_back_from="process" if falls_back else "",
        level=strategy,
        levers=LEVERS[: round(skill * len(LEVERS))],
        spare_used=job.region == "shanghai",
        step_at_fault=step + lost,
        checkpoint_step=step,
        stages=stages,
    )


def _strategy(dice: random.Random, skill: float, falls_back: bool) -> str:
    if falls_back or dice.random() > skill:
        return "job"
    return "process" if dice.random() < skill / 3 else "pod"


def _stages(dice: random.Random, at: datetime, skill: float, slower: float) -> list[PastStage]:
    """One after the other; with practice, compiling runs beside loading and link building."""
    found: list[PastStage] = []
    starts = at
    load_starts = at
    for slug, before, after in zip(ON_PATH, BEFORE, AFTER, strict=True):
        minutes = before * (after / before) ** skill * math.exp(dice.gauss(0, SPREAD)) * slower
        start = starts
        if slug == StageSlug.CHECKPOINT_LOAD:
            load_starts = start
        if slug == StageSlug.OPERATOR_COMPILE and skill > 0.5:
            start = load_starts + (starts - load_starts) * 0.7
        end = start + timedelta(seconds=round(minutes * 60))
        found.append(PastStage(stage=str(slug), started_at=start, ended_at=end))
        starts = max(starts, end)
    return found
