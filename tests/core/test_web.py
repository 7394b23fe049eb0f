"""What every page has from its base."""

import pytest
from django.test import Client

from tests.factories import UserFactory

pytestmark = pytest.mark.django_db


def test_a_form_without_its_token_is_refused_in_the_readers_language() -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(UserFactory.create())
    client.cookies["django_language"] = "zh-hans"

    answer = client.post("/language/", {"language": "en"})

    assert answer.status_code == 403
    assert "此页面已过期" in answer.content.decode()
