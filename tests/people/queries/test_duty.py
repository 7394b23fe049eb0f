from datetime import timedelta

import pytest
from django.utils import translation
from pytest_django import DjangoAssertNumQueries

from people.models import Override, User
from people.operations import demo, teams
from people.queries import duty, faces_customer, last_resort, on_duty, on_duty_all
from tests.factories import (
    NINE_OCLOCK,
    RosterFactory,
    ShiftFactory,
    TeamFactory,
    UserFactory,
)

pytestmark = pytest.mark.django_db
WEEK = timedelta(days=7)


def test_the_primary_and_backup_of_the_week_are_on_duty_until_its_end() -> None:
    shift = ShiftFactory.create()

    found = on_duty("HW", NINE_OCLOCK)

    assert (found.primary, found.backup) == (shift.primary, shift.backup)
    assert found.until == NINE_OCLOCK.replace(hour=1) + WEEK  # 09:00 in Shanghai
    assert found.gap == ""


def test_shifts_take_turns() -> None:
    roster = RosterFactory.create()
    first = ShiftFactory.create(roster=roster, position=0)
    second = ShiftFactory.create(roster=roster, position=1)

    seen = [on_duty("HW", NINE_OCLOCK + n * WEEK).primary for n in range(3)]

    assert seen == [first.primary, second.primary, first.primary]


def test_a_roster_of_the_region_goes_before_one_for_all() -> None:
    team = TeamFactory.create()
    everywhere = ShiftFactory.create(roster__team=team)
    regional = ShiftFactory.create(roster__team=team, roster__region="ulanqab")

    assert on_duty("HW", NINE_OCLOCK, "ulanqab").primary == regional.primary
    assert on_duty("HW", NINE_OCLOCK, "shanghai").primary == everywhere.primary
    assert on_duty("HW", NINE_OCLOCK).primary == everywhere.primary


def test_any_roster_is_better_than_nobody_where_the_region_has_none() -> None:
    regional = ShiftFactory.create(roster__region="ulanqab")

    assert on_duty("HW", NINE_OCLOCK, "shanghai").primary == regional.primary


def test_whoever_left_is_nobody_and_the_gap_is_said_in_words() -> None:
    shift = ShiftFactory.create(backup=None)
    User.objects.filter(pk=shift.primary_id).update(is_active=False)

    found = on_duty("HW", NINE_OCLOCK)

    assert found.primary is None
    assert found.gap == "Nobody on duty for Team HW."


def test_a_domain_without_a_roster_says_so() -> None:
    assert "No roster" in on_duty("NET", NINE_OCLOCK).gap


def test_an_override_changes_who_and_until_when() -> None:
    shift = ShiftFactory.create()
    stand_in = UserFactory.create()
    ends = NINE_OCLOCK + timedelta(hours=2)
    Override.objects.create(roster=shift.roster, user=stand_in, starts_at=NINE_OCLOCK, ends_at=ends)

    assert on_duty("HW", NINE_OCLOCK).primary == stand_in
    assert on_duty("HW", NINE_OCLOCK).until == ends
    assert on_duty("HW", NINE_OCLOCK - timedelta(hours=1)).until == NINE_OCLOCK
    assert on_duty("HW", ends).primary == shift.primary


def test_managers_who_left_are_nobody() -> None:
    team = TeamFactory.create(manager__is_active=False)

    found = on_duty("HW", NINE_OCLOCK)

    assert (found.manager, found.next_level) == (None, team.next_level)


def test_the_demo_has_somebody_for_every_domain_in_a_constant_number_of_queries(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    demo.load(NINE_OCLOCK)

    with django_assert_num_queries(6):
        found = on_duty_all(NINE_OCLOCK, "ulanqab")

    assert [one.gap for one in found] == [""] * 12
    assert all(one.backup and one.manager and one.next_level for one in found)


def test_loading_the_demo_twice_changes_nothing() -> None:
    assert demo.load(NINE_OCLOCK) == demo.load(NINE_OCLOCK)


def test_the_last_resort_is_whom_the_site_named_else_an_administrator() -> None:
    assert last_resort() is None
    admin = UserFactory.create(admin=True)
    assert last_resort() == admin
    named = UserFactory.create()

    teams.name_last_resort(user_id=named.pk, by=admin, at=NINE_OCLOCK)

    assert last_resort() == named


def test_customers_are_faced_by_members_and_rosters_of_job_and_tam() -> None:
    member, engineer = UserFactory.create_batch(2)
    TeamFactory.create(domain="JOB").members.add(member)
    TeamFactory.create(domain="HW").members.add(engineer)
    shift = ShiftFactory.create(roster__team__domain="TAM")

    assert shift.primary is not None

    ids = [member.pk, engineer.pk, shift.primary.pk]

    assert faces_customer(ids) == {member.pk, shift.primary.pk}


def test_the_turns_of_a_week_cover_it() -> None:
    shift = ShiftFactory.create()

    found = duty.turns(shift.roster, NINE_OCLOCK, NINE_OCLOCK + WEEK)

    assert found[0].starts_at <= NINE_OCLOCK
    assert found[-1].ends_at >= NINE_OCLOCK + WEEK


def test_a_gap_is_said_in_the_readers_language() -> None:
    with translation.override("zh-hans"):
        assert on_duty("NET", NINE_OCLOCK).gap
