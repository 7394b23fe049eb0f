from datetime import timedelta

import pytest

from core.errors import Invalid, NotAllowed, NotFound
from people.models import ApiToken
from people.operations import tokens
from tests.factories import NINE_OCLOCK, UserFactory

pytestmark = pytest.mark.django_db


def test_a_token_works_and_only_its_hash_is_kept() -> None:
    user = UserFactory.create()

    token, secret = tokens.create(
        user_id=user.pk, name="ci", scopes=["read"], by=user, at=NINE_OCLOCK
    )

    assert tokens.use(secret=secret, at=NINE_OCLOCK) == token
    assert secret not in str(ApiToken.objects.values().get())


def test_a_revoked_token_and_one_of_somebody_who_left_do_not_work() -> None:
    user = UserFactory.create()
    token, secret = tokens.create(user_id=user.pk, name="", scopes=[], by=None, at=NINE_OCLOCK)
    _other, other_secret = tokens.create(
        user_id=UserFactory.create(is_active=False).pk, name="", scopes=[], by=None, at=NINE_OCLOCK
    )

    tokens.revoke(token_id=token.pk, by=user, at=NINE_OCLOCK)

    assert tokens.use(secret=secret, at=NINE_OCLOCK) is None
    assert tokens.use(secret=other_secret, at=NINE_OCLOCK) is None


def test_nobody_makes_a_token_above_the_own_role() -> None:
    engineer = UserFactory.create()

    for scopes in (["manage"], ["all"]):
        with pytest.raises(NotAllowed):
            tokens.create(user_id=engineer.pk, name="", scopes=scopes, by=engineer, at=NINE_OCLOCK)

    assert not ApiToken.objects.exists()


def test_an_unknown_scope_is_refused_with_the_known_ones() -> None:
    with pytest.raises(Invalid, match="read, respond"):
        tokens.create(
            user_id=UserFactory.create().pk, name="", scopes=["root"], by=None, at=NINE_OCLOCK
        )


def test_other_peoples_tokens_are_revoked_by_administrators_only() -> None:
    token, _secret = tokens.create(
        user_id=UserFactory.create().pk, name="", scopes=[], by=None, at=NINE_OCLOCK
    )

    with pytest.raises(NotFound):
        tokens.revoke(token_id=token.pk, by=UserFactory.create(lead=True), at=NINE_OCLOCK)
    tokens.revoke(token_id=token.pk, by=UserFactory.create(admin=True), at=NINE_OCLOCK)


def test_use_is_noted_once_a_minute() -> None:
    user = UserFactory.create()
    token, secret = tokens.create(user_id=user.pk, name="", scopes=[], by=None, at=NINE_OCLOCK)

    for seconds in (0, 30, 90):
        tokens.use(secret=secret, at=NINE_OCLOCK + timedelta(seconds=seconds))

    token.refresh_from_db()
    assert token.last_used_at == NINE_OCLOCK + timedelta(seconds=90)
