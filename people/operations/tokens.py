import hashlib
import secrets
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext

from core.errors import Invalid, NotAllowed, NotFound
from core.operations import changes
from people.models import ApiToken, User
from people.states import Scope

PREFIX = "wr_"
USED_RESOLUTION = timedelta(minutes=1)


@transaction.atomic
def create(
    *,
    user_id: int,
    name: str,
    scopes: Sequence[str],
    by: User | None,
    at: datetime,
    held: Collection[str] | None = None,
) -> tuple[ApiToken, str]:
    """
    Make a token and return it with its secret, which is kept nowhere.

    `held` are the scopes of the token that asks, if one does: a token makes none above itself.

    :raises Invalid: for an unknown scope.
    :raises NotAllowed: for a scope that `by` does not have; `all` is for the command line.
    """
    unknown = sorted(set(scopes) - set(Scope.values))
    if unknown:
        sentence = gettext("Unknown scope %(scope)s; there are %(known)s.")
        names = {"scope": ", ".join(unknown), "known": ", ".join(Scope.values)}
        raise Invalid(fields={"scopes": [sentence % names]})
    if by is not None:
        _refuse_more_than_own(scopes, by.scopes if held is None else held)
    secret = PREFIX + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        user_id=user_id,
        name=name[:100] or "API",
        digest=digest_of(secret),
        ends_with=secret[-4:],
        scopes=sorted(set(scopes)),
        created_at=at,
    )
    after = {"user": user_id, "scopes": token.scopes}
    changes.record(actor=by, verb="token_created", target=f"token:{token.pk}", at=at, after=after)
    return token, secret


@transaction.atomic
def revoke(*, token_id: int, by: User, at: datetime) -> ApiToken:
    """Revoke a token: one's own, or anybody's as an administrator. Twice is once."""
    token = ApiToken.objects.select_for_update().filter(pk=token_id).first()
    if token is None or (token.user_id != by.pk and Scope.ADMIN not in by.scopes):
        raise NotFound(gettext("There is no such token."))
    if token.revoked_at is None:
        token.revoked_at = at
        token.save(update_fields=["revoked_at"])
        changes.record(actor=by, verb="token_revoked", target=f"token:{token.pk}", at=at)
    return token


def use(*, secret: str, at: datetime) -> ApiToken | None:
    """The token of `secret` while it is valid; notes its use once a minute."""
    token = (
        ApiToken.objects.filter(
            digest=digest_of(secret), revoked_at__isnull=True, user__is_active=True
        )
        .select_related("user")
        .first()
    )
    if token and (token.last_used_at is None or at - token.last_used_at > USED_RESOLUTION):
        stale = Q(last_used_at__isnull=True) | Q(last_used_at__lt=at)
        ApiToken.objects.filter(stale, pk=token.pk).update(last_used_at=at)
    return token


def digest_of(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _refuse_more_than_own(scopes: Sequence[str], own: Collection[str]) -> None:
    if Scope.ALL in scopes:
        raise NotAllowed(gettext("A token for everything is made on the command line only."))
    more = [scope for scope in scopes if scope not in own]
    if more:
        sentence = gettext(
            "Your role does not have %(scope)s; an administrator can make the token."
        )
        raise NotAllowed(sentence % {"scope": ", ".join(more)})
