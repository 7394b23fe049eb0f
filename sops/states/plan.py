"""
Which steps open next. A step comes after every step whose budget ends before its own begins;
steps with overlapping minutes run beside each other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sops.states.moves import ENDED, StepState


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A step as the plan sees it. `bypassed`: off the branch that was chosen."""

    number: int
    start: int
    end: int
    state: StepState
    group: str = ""
    bypassed: bool = False

    @property
    def settled(self) -> bool:
        return self.state in ENDED or (self.bypassed and self.state == StepState.WAITING)

    def follows(self, other: "Slot") -> bool:
        return other.end <= self.start


@dataclass(frozen=True, slots=True, kw_only=True)
class Branching:
    """What going from one step to another does to the rest, as step numbers."""

    bypass: frozenset[int] = frozenset()
    restore: frozenset[int] = frozenset()
    rewind: frozenset[int] = frozenset()


def ready(slots: Sequence[Slot]) -> list[int]:
    """The waiting steps that nothing holds up any more, in order."""
    unsettled = [slot for slot in slots if not slot.settled]
    return [
        slot.number
        for slot in slots
        if slot.state == StepState.WAITING
        and not slot.bypassed
        and not any(slot.follows(other) for other in unsettled)
    ]


def finished(slots: Sequence[Slot]) -> bool:
    return all(slot.settled for slot in slots)


def branching(
    slots: Sequence[Slot], choices: Mapping[str, int], *, source: int, target: int
) -> Branching:
    """
    `choices` maps each group of alternatives to the step where one is chosen.

    Forwards: what lies between, and the other alternatives of the target's group, are bypassed
    unless they have begun. Backwards: what comes after the target, up to the source, is done
    again, and choices made there are open again.
    """
    by_number = {slot.number: slot for slot in slots}
    goal = by_number[target]
    if target > source:
        siblings = {s.number for s in slots if goal.group in choices and s.group == goal.group}
        between = {number for number in by_number if source < number < target}
        off = (siblings | between) - {source, target}
        waiting = {n for n in off if by_number[n].state == StepState.WAITING}
        return Branching(bypass=frozenset(waiting), restore=frozenset({target}))
    again = {group for group, at in choices.items() if target <= at < source}
    return Branching(
        restore=frozenset({target} | {s.number for s in slots if s.group in again}),
        rewind=frozenset(
            s.number
            for s in slots
            if target < s.number <= source and s.follows(goal) and s.state in ENDED
        ),
    )
