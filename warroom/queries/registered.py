"""What this app answers to questions that are asked of every app."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db.models import Count, F, Min
from django.utils.translation import gettext as _

from core.registry import Involvement, Metric, Waiting
from people.models import User
from people.queries import visible
from warroom.models import Clock, ClockStep, HandOver, Incident, Participant
from warroom.states import HELD, LIVE, OPEN, ClockState, HandOverState, StepState

OVERDUE_AFTER = timedelta(seconds=30)


def waits_for(user: User, at: datetime) -> list[Waiting]:
    """Calls that this person has not answered, and hand-overs offered to them."""
    return [*_calls(user), *_offers(user)]


def _calls(user: User) -> list[Waiting]:
    rows = Participant.objects.awaited().filter(user=user, incident__state__in=LIVE)
    return [
        Waiting(
            text=_("Join %(incident)s: %(title)s")
            % {"incident": one.incident, "title": one.incident.headline},
            url=url(one.incident_id),
            since=one.asked_at,
            due_at=min((c.due_at for c in one.incident.clocks.all() if _runs(c)), default=None),
        )
        for one in rows.select_related("incident")
        .prefetch_related("incident__clocks")
        .order_by("asked_at")
    ]


def _runs(clock: Clock) -> bool:
    return clock.state == ClockState.RUNNING and clock.hand_over_id is None


def _offers(user: User) -> list[Waiting]:
    rows = HandOver.objects.filter(taker=user, state=HandOverState.OFFERED)
    return [
        Waiting(
            text=_("%(giver)s hands over %(incident)s to you")
            % {"giver": one.giver, "incident": one.incident},
            url=url(one.incident_id),
            since=one.offered_at,
            due_at=one.expires_at,
        )
        for one in rows.select_related("giver", "incident").order_by("offered_at")
    ]


def involvements(user: User) -> list[Involvement]:
    """Open incidents that would be left without this person."""
    held = Incident.objects.filter(state__in=HELD)
    rows = held.filter(owner=user) | held.filter(commander=user) | held.filter(recovery_owner=user)
    return [
        Involvement(
            text=_("Holds %(incident)s: %(title)s") % {"incident": one, "title": one.headline},
            url=url(one.number),
        )
        for one in rows.order_by("number")
    ]


def url(number: int) -> str:
    return f"/incidents/{number}/"


def metrics(at: datetime) -> Iterable[Metric]:
    due = ClockStep.objects.due(at).aggregate(n=Count("pk"), oldest=Min("due_at"))
    oldest = (at - due["oldest"]).total_seconds() if due["oldest"] else 0.0
    yield Metric(name="warroom_clocks_overdue", value=due["n"], help="Due clock steps not fired")
    yield Metric(
        name="warroom_clocks_overdue_oldest_seconds",
        value=oldest,
        help="How late the oldest due clock step is",
    )
    counts = Incident.objects.filter(state__in=OPEN).values("tier").annotate(n=Count("pk"))
    found = {row["tier"]: row["n"] for row in counts.order_by("tier")}
    for tier in (1, 2, 3):
        yield Metric(
            name="warroom_incidents_open",
            value=found.get(tier, 0),
            help="Open incidents",
            labels={"tier": str(tier)},
        )


def ready(at: datetime) -> str:
    """Clocks that are overdue although some sweep runs: something holds them up."""
    oldest = ClockStep.objects.due(at - OVERDUE_AFTER).aggregate(oldest=Min("due_at"))["oldest"]
    return f"clocks: the oldest is {(at - oldest).total_seconds():.0f} s late" if oldest else ""


def integrity() -> list[str]:
    """What must never be: the sentences name the incidents."""
    held = Incident.objects.filter(state__in=HELD)
    wrong = [f"{one} has no room" for one in held.filter(room=None)]
    running = Clock.objects.filter(kind="restore", state=ClockState.RUNNING)
    wrong += [
        f"{one} is not restored and has no restore clock"
        for one in Incident.objects.filter(state__in=LIVE, relapses=0).exclude(
            clocks__kind="restore"
        )
    ]
    ended = running.exclude(incident__state__in=LIVE).select_related("incident")
    wrong += [f"{clock} still runs though it is {clock.incident.state}" for clock in ended]
    lost = ClockStep.objects.filter(state=StepState.PENDING, clock__state=ClockState.CANCELLED)
    wrong += [f"{step} is pending on a cancelled clock" for step in lost]
    early = Clock.objects.filter(met_at__lt=F("started_at"))
    return wrong + [f"{clock} was met before it started" for clock in early]


def may_hear(user: User, topic: str) -> bool:
    """Whether a person may hear of an `incident-<number>`: who may not see it sees no trace (I13)."""
    if not topic.startswith("incident-"):
        return True
    number = topic.removeprefix("incident-")
    if not number.isdecimal() or len(number) >= 18:  # a bigint's digits
        return False
    return visible(Incident.objects.filter(number=int(number)), user).exists()
