import pytest
from pytest_django import Settings

from core.http.client import ForbiddenTarget, judged


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "10.0.0.8", "169.254.169.254", "::1", "::ffff:10.0.0.8", "0.0.0.0", "2130706433"],
)
def test_addresses_inside_the_network_are_refused_in_every_form(host: str) -> None:
    with pytest.raises(ForbiddenTarget):
        judged(host, 80)


def test_an_administrator_can_allow_a_network(settings: Settings) -> None:
    settings.OUTGOING_ALLOWED = ["10.0.0.0/8"]

    assert judged("10.0.0.8", 80) == "10.0.0.8"


def test_an_allowed_host_name_is_compared_whole_and_not_as_a_part(settings: Settings) -> None:
    settings.OUTGOING_ALLOWED = ["localhos"]

    with pytest.raises(ForbiddenTarget):
        judged("localhost", 80)


def test_an_allowed_host_is_reached_at_the_address_that_was_judged(settings: Settings) -> None:
    settings.OUTGOING_ALLOWED = ["LOCALHOST."]

    assert judged("localhost", 80) in ("127.0.0.1", "::1")
