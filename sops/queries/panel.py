"""What the room shows of a run at one instant."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from core.queries import site
from fleet.queries import spare_nodes
from people.models import User
from people.queries import visible
from sops.models import Content, ProcedureVersion, Run, RunStep, Step
from sops.models.content import Decision
from sops.queries import rights
from sops.states import Action, StepState, actions_from
from warroom.models import Clock, Incident

AMBER_FROM, RED_FROM, DECIDE_FROM = 0.75, 1.0, 2.0
"""Parts of a step's budget: nearly used, over, and the commander decides (domain.md 2.5 e)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionView:
    decision: Decision
    label: str
    leaves: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StepView:
    """`used` in minutes of the policy; `level` calm, amber, red or decide, with its `word`."""

    text: Step
    row: RunStep
    used: int | None
    level: str
    word: str
    behind: int
    actions: list[Action]
    decisions: list[DecisionView]
    no_spare: bool

    @property
    def open(self) -> bool:
        return self.row.state in (StepState.ACTIVE, StepState.FAILED)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunView:
    run: Run
    text: Content
    steps: list[StepView]
    settled: int
    done: int
    used: int
    allowed_actions: list[Action]

    @property
    def current(self) -> list[StepView]:
        return [step for step in self.steps if step.open]

    @property
    def over(self) -> bool:
        return self.used > self.text.ends_by


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelView:
    incident: Incident
    clock: Clock | None
    now: RunView | None
    earlier: Sequence[Run]
    procedures: Sequence[ProcedureVersion]
    missing: bool
    spare: int
    may: bool
    may_start: bool


def panel(number: int, user: User, at: datetime) -> PanelView | None:
    """Everything the panel needs; None when `user` may not see the incident."""
    incident = visible(Incident.objects.filter(number=number), user).first()
    if incident is None:
        return None
    rows = list(visible(Run.objects.of(number), user).with_everything())
    latest = rows[0] if rows else None
    may = rights.may(user)
    may_start = may and incident.open and not (latest and latest.running)
    published = ProcedureVersion.objects.current()
    clocks = Clock.objects.filter(incident=incident, kind="restore").order_by("-pk")
    spare = spare_nodes(incident.region)
    return PanelView(
        incident=incident,
        clock=clocks.first(),
        now=run_view(latest, user, at, spare) if latest else None,
        earlier=rows[1:],
        procedures=list(published) if may_start else [],
        missing=bool(incident.failure_class)
        and not published.filter(procedure=incident.failure_class).exists(),
        spare=spare,
        may=may,
        may_start=may_start,
    )


def run_view(run: Run, user: User, at: datetime, spare: int = 1) -> RunView:
    """`run` with its steps loaded (`with_everything`)."""
    text = run.version.text
    by_number = {step.number: step for step in text.steps}
    acting = run.running and rights.may(user)
    rows = list(run.steps.all())
    spareless = _spareless(rows, text) if spare == 0 else set()
    steps = [_step(by_number[row.number], row, run, at, acting, spareless) for row in rows]
    return RunView(
        run=run,
        text=text,
        steps=steps,
        settled=sum(row.slot.settled for row in rows),
        done=sum(row.state in (StepState.DONE, StepState.BRANCHED) for row in rows),
        used=_minutes(run.opened_at, run.closed_at or at),
        allowed_actions=_of_run(steps) if acting else [],
    )


def _spareless(rows: Sequence[RunStep], text: Content) -> set[int]:
    """Where the no-spare branch is shown: of the steps in progress only at the first."""
    numbers = [row.number for row in rows if row.number in text.no_spare.at]
    in_progress = [n for n in numbers if _in_progress(rows, n)]
    return set(numbers) - set(in_progress[1:])


def _in_progress(rows: Sequence[RunStep], number: int) -> bool:
    states = (StepState.ACTIVE, StepState.FAILED)
    return any(row.number == number and row.state in states for row in rows)


def _of_run(steps: Sequence[StepView]) -> list[Action]:
    possible = {action for step in steps for action in step.actions} | {Action.ABORT}
    return [action for action in Action if action in possible]


def _step(
    text: Step, row: RunStep, run: Run, at: datetime, acting: bool, spareless: set[int]
) -> StepView:
    used = _minutes(row.started_at, row.ended_at or run.closed_at or at) if row.started_at else None
    active = row.state == StepState.ACTIVE
    level, word = _level(used, row.budget, active)
    state = StepState(row.state)
    return StepView(
        text=text,
        row=row,
        used=used,
        level=level,
        word=word,
        behind=max(0, _minutes(run.opened_at, at) - row.end_minute) if active else 0,
        actions=actions_from(state) if acting else [],
        decisions=[
            DecisionView(decision=d, label=target_label(d), leaves=bool(d.to and not _inside(d)))
            for d in text.decisions
        ],
        no_spare=text.number in spareless,
    )


def _inside(decision: Decision) -> bool:
    return bool(decision.to and not decision.to.procedure and not decision.to.tier)


def target_label(decision: Decision) -> str:
    """Where it leads, in words: step 4, SOP NIN step 4, tier 2."""
    to = decision.to
    if to is None:
        return ""
    if to.tier:
        return _("raise to tier %(tier)s") % {"tier": to.tier}
    if to.procedure and to.step:
        return _("SOP %(sop)s, step %(step)s") % {"sop": to.procedure, "step": to.step}
    if to.procedure:
        return _("SOP %(sop)s") % {"sop": to.procedure}
    return _("step %(step)s") % {"step": to.step}


def _level(used: int | None, budget: int, active: bool) -> tuple[str, str]:
    if used is None:
        return "calm", ""
    part = used / budget
    if part >= DECIDE_FROM and active:
        return "decide", _("commander decides")
    if part > RED_FROM or (part >= RED_FROM and active):
        return "red", _("over budget")
    return ("amber", _("nearly used")) if part >= AMBER_FROM and active else ("calm", "")


def _minutes(since: datetime, at: datetime) -> int:
    return max(0, int((at - since).total_seconds() * site().clock_scale // 60))
