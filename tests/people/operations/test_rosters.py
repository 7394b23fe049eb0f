from dataclasses import replace
from datetime import date, time, timedelta

import pytest

from core.errors import Invalid, NotAllowed, Refused, Stale
from core.models import Change
from people.operations import rosters
from people.operations.rosters import Plan
from people.queries import on_duty
from tests.factories import NINE_OCLOCK, RosterFactory, ShiftFactory, TeamFactory, UserFactory

pytestmark = pytest.mark.django_db
PLAN = Plan(time_zone="Asia/Shanghai", anchor_date=date(2026, 3, 2), handover_at=time(9), shifts=[])


def test_a_roster_is_made_and_answers() -> None:
    first, second = UserFactory.create_batch(2)
    TeamFactory.create(domain="NET")
    plan = replace(PLAN, shifts=[(first.pk, second.pk)])

    rosters.create(domain="NET", region="", plan=plan, by=None, at=NINE_OCLOCK)

    found = on_duty("NET", NINE_OCLOCK)
    assert (found.primary, found.backup) == (first, second)


def test_the_second_writer_of_a_version_is_refused() -> None:
    roster, lead = ShiftFactory.create().roster, UserFactory.create(lead=True)
    plan = replace(PLAN, shifts=[(lead.pk, None)])
    rosters.update(roster_id=roster.pk, plan=plan, version=1, by=lead, at=NINE_OCLOCK)

    with pytest.raises(Stale):
        rosters.update(roster_id=roster.pk, plan=PLAN, version=1, by=lead, at=NINE_OCLOCK)

    assert on_duty("HW", NINE_OCLOCK).primary == lead
    assert Change.objects.filter(verb="roster_changed").count() == 1


def test_the_manager_may_and_a_stranger_may_not() -> None:
    roster = RosterFactory.create()
    manager = roster.team.manager
    assert manager is not None

    rosters.update(roster_id=roster.pk, plan=PLAN, version=1, by=manager, at=NINE_OCLOCK)
    with pytest.raises(NotAllowed):
        rosters.update(
            roster_id=roster.pk, plan=PLAN, version=2, by=UserFactory.create(), at=NINE_OCLOCK
        )


def test_a_plan_names_active_people_twice_two_and_a_real_zone() -> None:
    roster, lead = RosterFactory.create(), UserFactory.create(lead=True)
    gone = UserFactory.create(is_active=False)
    bad = [
        replace(PLAN, shifts=[(gone.pk, None)]),
        replace(PLAN, shifts=[(lead.pk, lead.pk)]),
        replace(PLAN, time_zone="Mars/Olympus"),
    ]

    for plan in bad:
        with pytest.raises(Invalid):
            rosters.update(roster_id=roster.pk, plan=plan, version=1, by=lead, at=NINE_OCLOCK)


def test_two_overrides_of_a_slot_do_not_overlap() -> None:
    roster, lead = ShiftFactory.create().roster, UserFactory.create(lead=True)

    def substitute(hours: int) -> None:
        rosters.substitute(
            roster_id=roster.pk,
            slot="primary",
            user_id=lead.pk,
            starts_at=NINE_OCLOCK + timedelta(hours=hours),
            ends_at=NINE_OCLOCK + timedelta(hours=hours + 2),
            reason="swap",
            by=lead,
            at=NINE_OCLOCK,
        )

    substitute(1)
    with pytest.raises(Refused):
        substitute(2)
    substitute(3)

    assert roster.overrides.count() == 2


def test_ending_an_override_that_runs_gives_the_duty_back_now() -> None:
    shift, lead = ShiftFactory.create(), UserFactory.create(lead=True)
    override = rosters.substitute(
        roster_id=shift.roster_id,
        slot="primary",
        user_id=lead.pk,
        starts_at=NINE_OCLOCK,
        ends_at=NINE_OCLOCK + timedelta(hours=8),
        reason="",
        by=lead,
        at=NINE_OCLOCK,
    )
    later = NINE_OCLOCK + timedelta(hours=1)

    rosters.end_substitution(override_id=override.pk, by=lead, at=later)

    assert on_duty("HW", NINE_OCLOCK).primary == lead
    assert on_duty("HW", later).primary == shift.primary
