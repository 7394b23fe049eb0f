"""Components: what is known to exist, and the state each is in."""

from datetime import datetime

from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils.translation import gettext

from core.errors import Invalid, NotFound
from core.operations import changes, live
from fleet.models import Component, Kind
from fleet.operations import revisions
from fleet.states import Action, IllegalMove, State, action_between, target_of

__all__ = ["IllegalMove", "parent_path", "register_unknown", "set_state", "take"]

# Moving one of these moves the cards and nodes inside it that were in the same state.
CONTAINERS = (Kind.SUPERNODE, Kind.NODE)


@transaction.atomic
def set_state(
    *, path: str, state: str, reason: str, by: AbstractBaseUser | None, at: datetime
) -> Component:
    """
    Move the component to `state`, with the nodes and cards inside it that share its state.

    :raises IllegalMove: if no action leads there.
    :raises Invalid: without a reason.
    """
    component = _lock(path)
    return _move(component, action_between(State(component.state), State(state)), reason, by, at)


@transaction.atomic
def take(
    *, path: str, action: str, reason: str, by: AbstractBaseUser | None, at: datetime
) -> Component:
    """Take one of the component's `allowed_actions`."""
    if action not in Action.values:
        raise Invalid(
            fields={
                "action": [
                    gettext("Choose one of: %(words)s.") % {"words": ", ".join(Action.values)}
                ]
            }
        )
    return _move(_lock(path), Action(action), reason, by, at)


def _lock(path: str) -> Component:
    try:
        return Component.objects.lock(path)
    except Component.DoesNotExist:
        raise NotFound(gettext("There is no component %(path)s.") % {"path": path}) from None


def _move(
    component: Component, action: Action, reason: str, by: AbstractBaseUser | None, at: datetime
) -> Component:
    if not reason.strip():
        raise Invalid(fields={"reason": [gettext("Say why: the reason goes into the change log.")]})
    before, after = component.state, target_of(State(component.state), action)
    component.state, component.state_since = after, at
    component.save(update_fields=["state", "state_since"])
    moved = 0
    if component.kind in CONTAINERS:
        moved = (
            Component.objects.filter(
                path__startswith=f"{component.path}/", kind__in=[Kind.NODE, Kind.CARD], state=before
            )
            .exclude(pk=component.pk)
            .update(state=after, state_since=at)
        )
    revisions.grow()
    changes.record(
        actor=by,
        verb=f"component.{action}",
        target=f"component:{component.path}",
        at=at,
        before={"state": before},
        after={"state": str(after), "with_it": moved},
        reason=reason,
    )
    live.announce("fleet")
    return component


@transaction.atomic
def register_unknown(*, path: str, kind: str, region: str, at: datetime) -> Component:
    """
    Note a component that an alert names and the fleet does not know; never an error.

    It hangs below the nearest known ancestor and is listed as unregistered until it is imported.
    Called again it only moves `seen_at`.
    """
    path = path[:180]
    known = Component.objects.filter(path=path).first()
    if known is not None:
        if not known.registered:
            Component.objects.filter(pk=known.pk).update(seen_at=at)
        return known
    parent = Component.objects.filter(path=parent_path(path)).first()
    component, created = Component.objects.get_or_create(
        path=path,
        defaults={
            "kind": kind,
            "name": path.rsplit("/", 1)[-1].split(":", 1)[-1][:120],
            "parent": parent,
            "region": (region or (parent.region if parent else ""))[:64],
            "supernode": _inherited(path, kind, Kind.SUPERNODE, parent)[:64],
            "node": _inherited(path, kind, Kind.NODE, parent)[:120],
            "state_since": at,
            "seen_at": at,
            "registered": False,
        },
    )
    if created:
        revisions.grow()
        live.announce("fleet")
    return component


def _inherited(path: str, kind: str, column: Kind, parent: Component | None) -> str:
    own = path.rsplit("/", 1)[-1]
    if kind == column:
        return own
    return str(getattr(parent, column)) if parent else ""


def parent_path(path: str) -> str:
    return path.rsplit("/", 1)[0] if "/" in path else ""
