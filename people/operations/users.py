import secrets
import string
from datetime import datetime
from zoneinfo import available_timezones

from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.utils.translation import gettext

from core.errors import Invalid, Refused
from core.operations import changes
from people.models import User
from people.models.users import LANGUAGES
from people.states import Role

PROFILE = ("name", "language", "time_zone", "email", "phone")
ALPHABET = string.ascii_lowercase + string.digits


@transaction.atomic
def update_profile(*, user_id: int, by: User, at: datetime, **fields: str) -> User:
    """Change one's own name, language, zone and contact data; an administrator, anybody's."""
    user: User = User.objects.select_for_update(no_key=True).get(pk=user_id)
    if by.pk != user.pk and not by.at_least(Role.ADMIN):
        raise Refused(gettext("A profile is changed by its owner or an administrator."))
    chosen = {name: value for name, value in fields.items() if name in PROFILE}
    _refuse_unknown(chosen)
    before = {name: getattr(user, name) for name in chosen}
    for name, value in chosen.items():
        setattr(user, name, value)
    user.save(update_fields=list(chosen))
    if before != chosen:
        changed = [name for name in chosen if before[name] != chosen[name]]
        changes.record(
            actor=by,
            verb="profile_changed",
            target=f"user:{user.pk}",
            at=at,
            after={"fields": changed},
        )
    return user


@transaction.atomic
def bootstrap(*, at: datetime) -> tuple[User, str]:
    """
    Make the first administrator, `admin`, and return it with its password, kept nowhere.

    :raises Refused: if there is an administrator.
    """
    if User.objects.active().filter(is_superuser=True).exists():
        raise Refused(gettext("There is an administrator already."))
    password = make_secret()
    admin = User.objects.create(
        username="admin",
        name="Site admin",
        email="admin@example.com",
        role=Role.ADMIN,
        is_staff=True,
        is_superuser=True,
        password=make_password(password),
        date_joined=at,
    )
    changes.record(actor=None, verb="bootstrapped", target=f"user:{admin.pk}", at=at)
    return admin, password


def make_secret() -> str:
    """Sixteen characters that survive being read out on the phone: 82 bits."""
    return "".join(secrets.choice(ALPHABET) for _ in range(16))


def _refuse_unknown(chosen: dict[str, str]) -> None:
    fields = {}
    if not chosen.get("name", "x").strip():
        fields["name"] = [gettext("People need a name.")]
    if chosen.get("time_zone", "UTC") not in available_timezones():
        fields["time_zone"] = [gettext("Not the name of a time zone, such as Asia/Shanghai.")]
    if chosen.get("language", "en") not in dict(LANGUAGES):
        fields["language"] = [gettext("One of %s.") % ", ".join(dict(LANGUAGES))]
    if fields:
        raise Invalid(fields=fields)
