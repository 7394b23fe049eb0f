"""The change log: append-only, in the transaction of the change."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AbstractBaseUser

from core.models import Change


def record(
    *,
    actor: AbstractBaseUser | None,
    verb: str,
    target: str,
    at: datetime,
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
    reason: str = "",
) -> Change:
    return Change.objects.create(
        actor_id=actor.pk if actor else None,
        verb=verb,
        target=target,
        at=at,
        before=dict(before or {}),
        after=dict(after or {}),
        reason=reason,
    )
