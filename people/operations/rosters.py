from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any
from zoneinfo import available_timezones

from django.db import transaction
from django.utils.translation import gettext

from core.errors import Invalid, NotAllowed, NotFound, Refused, Stale
from core.operations import changes, live
from people.models import Override, Roster, Shift, Team, User
from people.states import Role, Slot


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a roster says: when its weeks begin, and who has which, in turn."""

    time_zone: str
    anchor_date: date
    handover_at: time
    shifts: Sequence[tuple[int | None, int | None]]
    """(primary, backup) of each week."""


@transaction.atomic
def create(*, domain: str, region: str, plan: Plan, by: User | None, at: datetime) -> Roster:
    team = Team.objects.filter(domain=domain).first()
    if team is None:
        raise NotFound(gettext("There is no team for %s.") % domain)
    _refuse_outsider(team, by)
    _refuse_impossible(plan)
    if Roster.objects.filter(team=team, region=region).exists():
        raise Refused(gettext("%s has a roster for this region already.") % domain)
    roster = Roster.objects.create(
        team=team,
        region=region,
        time_zone=plan.time_zone,
        anchor_date=plan.anchor_date,
        handover_at=plan.handover_at,
    )
    _write_shifts(roster, plan)
    _record(roster, "roster_created", {}, _said(plan), by=by, at=at)
    return roster


@transaction.atomic
def update(*, roster_id: int, plan: Plan, version: int, by: User, at: datetime) -> Roster:
    """
    Replace the plan of a roster that was read at `version`.

    :raises Stale: if somebody else changed it since.
    """
    roster = _lock(roster_id)
    _refuse_outsider(roster.team, by)
    if roster.version != version:
        raise Stale(gettext("Somebody else changed this roster since you read it."), current=roster)
    _refuse_impossible(plan)
    before = said_by(roster)
    roster.time_zone, roster.anchor_date = plan.time_zone, plan.anchor_date
    roster.handover_at, roster.version = plan.handover_at, roster.version + 1
    roster.save(update_fields=["time_zone", "anchor_date", "handover_at", "version"])
    roster.shifts.all().delete()
    _write_shifts(roster, plan)
    _record(roster, "roster_changed", before, _said(plan), by=by, at=at)
    return roster


@transaction.atomic
def substitute(
    *,
    roster_id: int,
    slot: str,
    user_id: int,
    starts_at: datetime,
    ends_at: datetime,
    reason: str,
    by: User,
    at: datetime,
) -> Override:
    """Put somebody else in a slot for a while; two overrides of a slot never overlap."""
    roster = _lock(roster_id)
    _refuse_outsider(roster.team, by)
    if slot not in Slot.values or ends_at <= starts_at:
        raise Invalid(fields={"ends_at": [gettext("An override ends after it begins.")]})
    if not User.objects.active().filter(pk=user_id).exists():
        raise Invalid(fields={"user": [gettext("Nobody active has this id.")]})
    taken = roster.overrides.filter(slot=slot, starts_at__lt=ends_at, ends_at__gt=starts_at)
    if taken.exists():
        raise Refused(gettext("Another override covers part of this time; remove it first."))
    override = Override.objects.create(
        roster=roster,
        slot=slot,
        user_id=user_id,
        starts_at=starts_at,
        ends_at=ends_at,
        reason=reason,
        by=by,
    )
    after = {"user": user_id, "slot": slot, "from": str(starts_at), "to": str(ends_at)}
    _record(roster, "override_added", {}, after, by=by, at=at, reason=reason)
    return override


@transaction.atomic
def end_substitution(*, override_id: int, by: User, at: datetime) -> None:
    override = Override.objects.filter(pk=override_id).select_related("roster__team").first()
    if override is None:
        raise NotFound(gettext("There is no such override."))
    roster = _lock(override.roster_id)
    _refuse_outsider(roster.team, by)
    before = {"user": override.user_id, "slot": override.slot, "to": str(override.ends_at)}
    if override.starts_at >= at:
        override.delete()
    elif override.ends_at > at:
        override.ends_at = at
        override.save(update_fields=["ends_at"])
    _record(roster, "override_removed", before, {}, by=by, at=at)


def said_by(roster: Roster) -> dict[str, Any]:
    """The roster's plan as the change log keeps it."""
    shifts = roster.shifts.order_by("position")
    return _said(
        Plan(
            time_zone=roster.time_zone,
            anchor_date=roster.anchor_date,
            handover_at=roster.handover_at,
            shifts=list(shifts.values_list("primary_id", "backup_id")),
        )
    )


def _said(plan: Plan) -> dict[str, Any]:
    return {
        "time_zone": plan.time_zone,
        "anchor_date": plan.anchor_date.isoformat(),
        "handover_at": plan.handover_at.isoformat("minutes"),
        "shifts": [list(shift) for shift in plan.shifts],
    }


def _lock(roster_id: int) -> Roster:
    try:
        return Roster.objects.lock(roster_id)
    except Roster.DoesNotExist:
        raise NotFound(gettext("There is no such roster.")) from None


def _write_shifts(roster: Roster, plan: Plan) -> None:
    Shift.objects.bulk_create(
        Shift(roster=roster, position=place, primary_id=primary, backup_id=backup)
        for place, (primary, backup) in enumerate(plan.shifts)
    )


def _refuse_outsider(team: Team, by: User | None) -> None:
    if by is None or by.at_least(Role.LEAD) or by.pk in {team.manager_id, team.next_level_id}:
        return
    sentence = gettext("The roster of %(team)s is changed by its manager, next level or a lead.")
    raise NotAllowed(sentence % {"team": team.name})


def _refuse_impossible(plan: Plan) -> None:
    fields = {}
    if plan.time_zone not in available_timezones():
        fields["time_zone"] = [gettext("Not the name of a time zone, such as Asia/Shanghai.")]
    if any(primary and primary == backup for primary, backup in plan.shifts):
        fields["shifts"] = [gettext("Primary and backup of a week are two people.")]
    named = {user for shift in plan.shifts for user in shift if user}
    if User.objects.active().filter(pk__in=named).count() < len(named):
        fields["shifts"] = [gettext("A roster names people who are active.")]
    if fields:
        raise Invalid(fields=fields)


def _record(
    roster: Roster,
    verb: str,
    before: dict[str, Any],
    after: dict[str, Any],
    *,
    by: User | None,
    at: datetime,
    reason: str = "",
) -> None:
    changes.record(
        actor=by,
        verb=verb,
        target=f"roster:{roster.pk}",
        at=at,
        before=before,
        after=after,
        reason=reason,
    )
    live.announce("duty")
