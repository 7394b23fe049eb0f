from datetime import datetime

from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext

from core.errors import NotAllowed, NotFound
from core.operations import changes, live
from people.models import SiteDuty, Team, User
from people.states import Domain, Role


@transaction.atomic
def ensure_all(*, at: datetime) -> int:
    """Make the twelve teams that do not exist yet; returns how many."""
    known = set(Team.objects.values_list("domain", flat=True))
    missing = [domain for domain in Domain if domain not in known]
    Team.objects.bulk_create(
        Team(domain=d, name_en=_in("en", d), name_zh=_in("zh-hans", d)) for d in missing
    )
    return len(missing)


@transaction.atomic
def appoint(
    *, domain: str, manager_id: int | None, next_level_id: int | None, by: User, at: datetime
) -> Team:
    """Name who stands above whoever is on duty for the domain."""
    if not by.at_least(Role.LEAD):
        raise NotAllowed(gettext("Teams are changed by leads and administrators."))
    team = Team.objects.select_for_update(no_key=True).filter(domain=domain).first()
    if team is None:
        raise NotFound(gettext("There is no team for %s.") % domain)
    before = {"manager": team.manager_id, "next_level": team.next_level_id}
    team.manager_id, team.next_level_id = manager_id, next_level_id
    team.save(update_fields=["manager", "next_level"])
    after = {"manager": manager_id, "next_level": next_level_id}
    changes.record(
        actor=by, verb="team_changed", target=f"team:{domain}", at=at, before=before, after=after
    )
    live.announce("duty")
    return team


@transaction.atomic
def name_last_resort(*, user_id: int, by: User | None, at: datetime) -> SiteDuty:
    """Name the site's duty of last resort."""
    if by is not None and not by.at_least(Role.ADMIN):
        raise NotAllowed(gettext("The duty of last resort is named by an administrator."))
    duty, _ = SiteDuty.objects.update_or_create(only=True, defaults={"user_id": user_id})
    after = {"user": user_id}
    changes.record(actor=by, verb="last_resort_named", target="site", at=at, after=after)
    live.announce("duty")
    return duty


def _in(language: str, domain: Domain) -> str:
    with translation.override(language):
        return str(domain.label)
