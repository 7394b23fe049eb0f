"""Who is on duty: the rosters of the database read through `rotation`."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from django.db.models import Prefetch
from django.utils.translation import gettext

from people.models import Override, Roster, Shift, SiteDuty, Team, User
from people.queries.rotation import Rotation, Substitution
from people.states import Domain, Role, Slot

DOMAINS = list(Domain)


@dataclass(frozen=True, slots=True, kw_only=True)
class Duty:
    """Who answers for a domain at an instant; people who left are shown as nobody."""

    domain: str
    name: str
    region: str = ""
    roster_id: int | None = None
    primary: User | None = None
    backup: User | None = None
    manager: User | None = None
    next_level: User | None = None
    until: datetime | None = None

    @property
    def gap(self) -> str:
        """What is missing, in words; empty when somebody is on duty."""
        if self.primary:
            return ""
        if self.roster_id is None:
            return gettext("No roster for %(domain)s: nobody would be called.") % self._names()
        if self.backup:
            return gettext("No primary for %(domain)s: the backup is called.") % self._names()
        return gettext("Nobody on duty for %(domain)s.") % self._names()

    def _names(self) -> dict[str, str]:
        return {"domain": self.name}


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A stretch of a roster with the same primary and backup."""

    starts_at: datetime
    ends_at: datetime
    primary: User | None
    backup: User | None


def on_duty(domain: str, at: datetime, region: str = "") -> Duty:
    """
    Who answers for `domain` at `at`.

    A roster of the region goes before one for all regions. Where the region is not known or has
    no roster, any roster of the domain is better than nobody.
    """
    team = Team.objects.filter(domain=domain).select_related("manager", "next_level").first()
    rosters = rosters_of([domain]) if team else []
    return _duty(domain, team, rosters, at, region)


def on_duty_all(at: datetime, region: str = "") -> list[Duty]:
    """`on_duty` of the twelve domains, in a constant number of queries."""
    teams = {t.domain: t for t in Team.objects.select_related("manager", "next_level")}
    rosters = rosters_of(DOMAINS)
    return [_duty(domain, teams.get(domain), rosters, at, region) for domain in DOMAINS]


def duties_now(at: datetime) -> list[Duty]:
    """Every roster with who is on duty, and a gap for every domain without one."""
    teams = {t.domain: t for t in Team.objects.select_related("manager", "next_level")}
    rosters = rosters_of(DOMAINS)
    found = []
    for domain in DOMAINS:
        team, own = teams.get(domain), [r for r in rosters if r.team.domain == domain]
        found += [_duty_of_roster(domain, team, roster, at) for roster in own]
        if not own:
            found.append(_duty_of_roster(domain, team, None, at))
    return found


def last_resort() -> User | None:
    """
    Where every step goes that finds nobody.

    The site's duty of last resort; while none is named, an active administrator.
    """
    duty = SiteDuty.objects.filter(user__is_active=True).select_related("user").first()
    if duty:
        return duty.user
    admins = User.objects.active().filter(role=Role.ADMIN)
    found: User | None = admins.order_by("-is_superuser", "pk").first()
    return found


def overrides_ahead(at: datetime) -> list[Override]:
    """Overrides that are in force or will be."""
    ahead = Override.objects.filter(ends_at__gt=at).select_related("user", "by", "roster__team")
    return list(ahead.order_by("starts_at"))


def rosters_of(domains: Iterable[str]) -> list[Roster]:
    """Rosters with shifts, people and overrides loaded, by domain and region."""
    overrides = Override.objects.select_related("user").order_by("starts_at")
    return list(
        Roster.objects.filter(team__domain__in=list(domains))
        .select_related("team")
        .prefetch_related(
            "shifts__primary", "shifts__backup", Prefetch("overrides", queryset=overrides)
        )
        .order_by("team__domain", "region")
    )


def rotation_of(roster: Roster) -> Rotation:
    shifts = sorted(roster.shifts.all(), key=lambda shift: shift.position)
    return Rotation(
        zone=ZoneInfo(roster.time_zone),
        anchor_date=roster.anchor_date,
        handover_at=roster.handover_at,
        places=[(shift.primary_id, shift.backup_id) for shift in shifts],
        substitutions=[
            Substitution(Slot(o.slot), o.user_id, o.starts_at, o.ends_at)
            for o in roster.overrides.all()
        ],
    )


def turns(roster: Roster, since: datetime, until: datetime) -> list[Turn]:
    """The roster from `since` to `until`, cut wherever primary or backup changes."""
    rotation, people = rotation_of(roster), _people_of(roster)
    found, at = [], since
    while at < until:
        primary, backup = rotation.span(Slot.PRIMARY, at), rotation.span(Slot.BACKUP, at)
        ends_at = min(primary.ends_at, backup.ends_at)
        found.append(
            Turn(
                starts_at=max(primary.starts_at, backup.starts_at),
                ends_at=ends_at,
                primary=people.get(primary.user_id),
                backup=people.get(backup.user_id),
            )
        )
        at = ends_at
    return found


def _duty(
    domain: str, team: Team | None, rosters: Sequence[Roster], at: datetime, region: str
) -> Duty:
    own = [roster for roster in rosters if roster.team.domain == domain]
    own.sort(key=lambda roster: (roster.region != region, roster.region != "", roster.region))
    return _duty_of_roster(domain, team, own[0] if own else None, at)


def _duty_of_roster(domain: str, team: Team | None, roster: Roster | None, at: datetime) -> Duty:
    empty = Duty(
        domain=domain,
        name=team.name if team else str(Domain(domain).label),
        manager=_present(team.manager) if team else None,
        next_level=_present(team.next_level) if team else None,
    )
    if roster is None:
        return empty
    rotation, people = rotation_of(roster), _people_of(roster)
    primary, backup = rotation.span(Slot.PRIMARY, at), rotation.span(Slot.BACKUP, at)
    return replace(
        empty,
        region=roster.region,
        roster_id=roster.pk,
        primary=people.get(primary.user_id),
        backup=people.get(backup.user_id),
        until=primary.ends_at,
    )


def _present(user: User | None) -> User | None:
    return user if user and user.is_active else None


def _people_of(roster: Roster) -> dict[int | None, User]:
    """Everybody the roster names and who can still answer."""
    named = [o.user for o in roster.overrides.all()]
    for shift in roster.shifts.all():
        named += [user for user in (shift.primary, shift.backup) if user]
    return {user.pk: user for user in named if user.is_active}


def faces_customer(user_ids: Iterable[int]) -> set[int]:
    """Which of these people stand before the customer: members or rosters of JOB and TAM."""
    ids = set(user_ids)
    if not ids:
        return set()
    facing = Team.objects.filter(domain__in=[Domain.JOB, Domain.TAM])
    members = User.objects.filter(pk__in=ids, teams__in=facing)
    shifts = Shift.objects.filter(roster__team__in=facing)
    on_roster = shifts.values_list("primary_id", "backup_id")
    return {user.pk for user in members} | {pk for pair in on_roster for pk in pair if pk in ids}
