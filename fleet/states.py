"""Every legal move of a component, and the words of jobs. Pure data: no ORM, no clock."""

from django.db.models import TextChoices
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.errors import Refused


class State(TextChoices):
    IN_SERVICE = "in_service", _("In service")
    SUSPECT = "suspect", _("Suspect")
    ISOLATED = "isolated", _("Isolated")
    REPAIR = "repair", _("In repair")
    BURN_IN = "burn_in", _("Burn-in")
    PROBATION = "probation", _("On probation")
    SPARE = "spare", _("Spare")
    RETIRED = "retired", _("Retired")


class Action(TextChoices):
    SUSPECT = "suspect", _("Suspect")
    CLEAR = "clear", _("Clear suspicion")
    ISOLATE = "isolate", _("Isolate")
    REPAIR = "repair", _("Send to repair")
    BURN_IN = "burn_in", _("Start burn-in")
    PASS_BURN_IN = "pass_burn_in", _("Burn-in passed")
    FAIL_BURN_IN = "fail_burn_in", _("Burn-in failed")
    RETURN = "return", _("Return to service")
    RESERVE = "reserve", _("Keep as spare")
    TAKE = "take", _("Put into service")
    RETIRE = "retire", _("Retire")


class JobState(TextChoices):
    PENDING = "pending", _("Pending")
    RUNNING = "running", _("Running")
    DEGRADED = "degraded", _("Degraded")
    RESTARTING = "restarting", _("Restarting")
    SUSPENDED = "suspended", _("Suspended")
    COMPLETED = "completed", _("Completed")
    FAILED = "failed", _("Failed")


class IllegalMove(Refused):
    """The component is not in a state from which this move is allowed."""


TRANSITIONS: dict[tuple[State, Action], State] = {
    (State.IN_SERVICE, Action.SUSPECT): State.SUSPECT,
    (State.IN_SERVICE, Action.ISOLATE): State.ISOLATED,
    (State.IN_SERVICE, Action.RESERVE): State.SPARE,
    (State.IN_SERVICE, Action.RETIRE): State.RETIRED,
    (State.SUSPECT, Action.CLEAR): State.IN_SERVICE,
    (State.SUSPECT, Action.ISOLATE): State.ISOLATED,
    (State.ISOLATED, Action.REPAIR): State.REPAIR,
    (State.ISOLATED, Action.BURN_IN): State.BURN_IN,
    (State.ISOLATED, Action.RETIRE): State.RETIRED,
    (State.REPAIR, Action.BURN_IN): State.BURN_IN,
    (State.REPAIR, Action.RETIRE): State.RETIRED,
    (State.BURN_IN, Action.PASS_BURN_IN): State.PROBATION,
    (State.BURN_IN, Action.FAIL_BURN_IN): State.REPAIR,
    (State.BURN_IN, Action.ISOLATE): State.ISOLATED,
    (State.PROBATION, Action.RETURN): State.IN_SERVICE,
    (State.PROBATION, Action.RESERVE): State.SPARE,
    (State.PROBATION, Action.SUSPECT): State.SUSPECT,
    (State.PROBATION, Action.ISOLATE): State.ISOLATED,
    (State.SPARE, Action.TAKE): State.IN_SERVICE,
    (State.SPARE, Action.SUSPECT): State.SUSPECT,
    (State.SPARE, Action.ISOLATE): State.ISOLATED,
    (State.SPARE, Action.RETIRE): State.RETIRED,
}

# Back to work only from where the part has proved itself.
WORKING = frozenset({State.IN_SERVICE, State.SUSPECT, State.PROBATION})
OUT = frozenset({State.ISOLATED, State.REPAIR, State.BURN_IN, State.RETIRED})
# A job in one of these states holds its cards.
PLACED_JOBS = frozenset({JobState.RUNNING, JobState.DEGRADED, JobState.RESTARTING})


def target_of(state: State, action: Action) -> State:
    if (state, action) not in TRANSITIONS:
        raise IllegalMove(
            gettext("%(action)s is not possible: the component is %(state)s.")
            % {"action": action.label, "state": str(state.label).lower()}
        )
    return TRANSITIONS[state, action]


def actions_from(state: State) -> list[Action]:
    return [action for source, action in TRANSITIONS if source == state]


def action_between(state: State, target: State) -> Action:
    """The one action that leads from `state` to `target`. :raises IllegalMove: if none does."""
    for (source, action), result in TRANSITIONS.items():
        if source == state and result == target:
            return action
    raise IllegalMove(
        gettext("A component that is %(state)s cannot become %(target)s.")
        % {"state": str(state.label).lower(), "target": str(target.label).lower()}
    )
