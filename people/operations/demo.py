"""The demo's people: two for each roster, a manager and a next level for each domain."""

from collections.abc import Sequence
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import yaml
from django.contrib.auth.hashers import check_password, make_password
from django.db import transaction

from core import registry
from people.models import Roster, Team, User
from people.operations import responsibilities, rosters, teams
from people.states import Domain, Role

SHIPPED = Path(__file__).resolve().parents[1] / "data" / "demo_people.yaml"
PASSWORD = "warroom-demo"  # noqa: S105 - a demo site's, printed at each start
ANCHOR = date(2026, 1, 5)  # a Monday
HANDOVER = time(9)
ZONE = "Asia/Shanghai"
LOGINS = ("admin", "zhao.min", "wang.fang", "james.park")

Person = Sequence[Any]


@transaction.atomic
def load(at: datetime) -> str:
    """Load people, teams, rosters and the matrix; a second time changes nothing."""
    shipped = yaml.safe_load(SHIPPED.read_text())
    teams.ensure_all(at=at)
    responsibilities.load_shipped(at=at)
    _ensure_people(shipped)
    people = {user.username: user for user in User.objects.all()}
    _appoint(shipped, people)
    for domain, by_region in shipped["regional"].items():
        for region, pair in by_region.items():
            _roster(domain, region, [people[one[0]] for one in pair], at)
    for domain, pair in shipped["everywhere"].items():
        _roster(domain, "", [people[one[0]] for one in pair], at)
    director = people[shipped["directors"][0][0]]
    teams.name_last_resort(user_id=director.pk, by=None, at=at)
    _print_logins(people)
    return f"people: {len(people)} people, {Roster.objects.count()} rosters, 12 teams"


def _ensure_people(shipped: dict[str, Any]) -> None:
    admin = ("admin", "Site admin", "en")
    wanted = [_user(admin, Role.ADMIN, is_staff=True, is_superuser=True)]
    for domain, by_region in shipped["regional"].items():
        for region, pair in by_region.items():
            wanted += [_user(one, _role(domain), regions=[region]) for one in pair]
    for domain, pair in shipped["everywhere"].items():
        wanted += [_user(one, _role(domain)) for one in pair]
    wanted += [_user(one, Role.LEAD) for one in shipped["managers"] + shipped["directors"]]
    known = set(User.objects.values_list("username", flat=True))
    new = [user for user in wanted if user.username not in known]
    secret = make_password(PASSWORD) if new else ""
    for number, user in enumerate(new):
        user.password, user.phone = secret, f"+86 139 0000 {number:04d}"
    User.objects.bulk_create(new)


def _user(person: Person, role: Role, **more: Any) -> User:
    login, name, language = person[:3]
    return User(
        username=login,
        name=name,
        language=language,
        email=f"{login}@warroom.example",
        role=role,
        time_zone=ZONE,
        **more,
    )


def _role(domain: str) -> Role:
    return Role.COMMANDER if domain == Domain.SRE else Role.ENGINEER


def _appoint(shipped: dict[str, Any], people: dict[str, User]) -> None:
    by_domain = {team.domain: team for team in Team.objects.all()}
    for column, rows in (("manager", "managers"), ("next_level", "directors")):
        for login, _name, _language, domains in shipped[rows]:
            for domain in domains:
                if getattr(by_domain[domain], f"{column}_id") is None:
                    setattr(by_domain[domain], column, people[login])
    Team.objects.bulk_update(by_domain.values(), ["manager", "next_level"])


def _roster(domain: str, region: str, pair: Sequence[User], at: datetime) -> None:
    first, second = (user.pk for user in pair)
    team = Team.objects.get(domain=domain)
    team.members.add(*pair)
    if team.rosters.filter(region=region).exists():
        return
    plan = rosters.Plan(
        time_zone=ZONE,
        anchor_date=ANCHOR,
        handover_at=HANDOVER,
        shifts=[(first, second), (second, first)],
    )
    rosters.create(domain=domain, region=region, plan=plan, by=None, at=at)


def _print_logins(people: dict[str, User]) -> None:
    for place, login in enumerate(LOGINS):
        known = f"{place}-{login}" in registry.demo_logins
        if not known and check_password(PASSWORD, people[login].password):
            registry.demo_logins.add(f"{place}-{login}", f"{login} / {PASSWORD}")
