from typing import Any, TypeVar

from django.db.models import Q, QuerySet

from people.models import User

Rows = TypeVar("Rows", bound=QuerySet[Any])


def visible(queryset: Rows, user: User) -> Rows:
    """
    The rows of `queryset` that `user` may see, by their columns `region` and `audience`.

    No region means the whole site, no audience everybody in the region. No role is exempt:
    who may not see a row sees no trace of it.
    """
    own = Q(audience__isnull=True) | Q(audience__in=user.audiences.order_by().values("pk"))
    if user.regions:
        own &= Q(region="") | Q(region__in=user.regions)
    return queryset.filter(own)


def who_see(users: "QuerySet[User]", *, region: str, audience_id: int | None) -> "QuerySet[User]":
    """Those of `users` who may see a row of this region and audience: `visible` the other way."""
    if region:
        users = users.filter(Q(regions=[]) | Q(regions__contains=[region]))
    return users.filter(audiences=audience_id) if audience_id else users


def may_hear(user: User, topic: str) -> bool:
    """An inbox is heard by its owner only."""
    return not topic.startswith("inbox-") or topic == f"inbox-{user.pk}"
