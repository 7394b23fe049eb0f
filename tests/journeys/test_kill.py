"""
kill -9 of every process in the middle of a storm, with clocks due; and Valkey away for long.

One run of the product, looked at from several sides. A minute of the policy is a second here.
"""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message
from typing import Any

import psycopg
import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from psycopg.rows import dict_row

from config.stack.layout import free_port
from config.stack.running import Stack, wait_until
from tests.journeys.sender import Sender

pytestmark = [pytest.mark.journey, pytest.mark.timeout(900)]

ORDER = (
    "worker-intake",
    "postgres",
    "worker-deliver",
    "web",
    "valkey",
    "worker-slow",
    "live",
    "beat",
)
BETWEEN_KILLS_SECONDS = 4.0
VALKEY_AWAY = (50.0, 70.0)  # seconds after the opening: the tier is raised at 60
POSTGRES_AGAIN = 89.5  # a warning is due at 90
OVER = 120.0
LATE_SECONDS = 20.0  # the machine of CI is busy; without kills it is 2


class Mailbox:
    def __init__(self) -> None:
        self.messages: list[Message] = []

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        content = envelope.content
        self.messages.append(message_from_bytes(content if isinstance(content, bytes) else b""))
        return "250 kept"


@dataclass
class Aftermath:
    """What is left when the storm, the kills and the clocks are over."""

    rows: "psycopg.Connection[dict[str, Any]]"
    sender: Sender
    mailbox: Mailbox

    def ask(self, sql: str, *parameters: object) -> list[dict[str, Any]]:
        return self.rows.execute(sql, parameters).fetchall()

    @property
    def number(self) -> int:
        (incident,) = self.ask(OPENED)
        return int(incident["number"])


OPENED = "select number from warroom_incident where not imported and merged_into_id is null"
AGE = """
    select extract(epoch from now() - opened_at) from warroom_incident
    where not imported and merged_into_id is null
"""


@pytest.fixture(scope="module")
def aftermath(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Aftermath]:
    mailbox, port = Mailbox(), free_port()
    mail = Controller(mailbox, hostname="127.0.0.1", port=port)
    mail.start()
    environment = {
        "WARROOM_CLOCK_SCALE": "60",
        "EMAIL_URL": f"smtp://127.0.0.1:{port}",
    }
    var = tmp_path_factory.mktemp("kill") / "var"
    try:
        with Stack(var, demo=True, environment=environment) as stack:
            sender = kill_in_a_storm(stack)
            with psycopg.connect(
                stack.env["DATABASE_OWNER_URL"], row_factory=dict_row, autocommit=True
            ) as rows:
                yield Aftermath(rows, sender, mailbox)
    finally:
        mail.stop()


def kill_in_a_storm(stack: Stack) -> Sender:
    said = stack.manage("create_source", "--kind", "alertmanager", "--name", "kill")
    sender = Sender(port=stack.port, key=said.split()[-1], pace=1.5)
    sender.start()
    for name in ORDER:
        time.sleep(BETWEEN_KILLS_SECONDS)
        stack.kill(name)
    sender.join(120)
    opened = time.time() - age_of_incident(stack)
    kill_from_to(stack, "valkey", opened + VALKEY_AWAY[0], opened + VALKEY_AWAY[1])
    kill_from_to(stack, "postgres", opened + POSTGRES_AGAIN, opened + POSTGRES_AGAIN + 0.1)
    time.sleep(max(0.0, opened + OVER - time.time()))
    wait_until(lambda: nothing_is_due(stack), 240, "something that is due does not happen")
    return sender


def kill_from_to(stack: Stack, name: str, begin: float, end: float) -> None:
    """Keep `name` away: kill it whenever it comes back."""
    time.sleep(max(0.0, begin - time.time()))
    while time.time() < end:
        with suppress(ProcessLookupError, KeyError):
            stack.kill(name)
        time.sleep(0.1)


def age_of_incident(stack: Stack) -> float:
    ages: list[float] = []

    def there() -> bool:
        ages.extend(float(age) for (age,) in ask(stack, AGE))
        return bool(ages)

    wait_until(there, 60, "no incident was opened")
    return ages[-1]


DUE = """
    select (select count(*) from warroom_clockstep where state = 'pending' and due_at < now())
         + (select count(*) from warroom_clockstep where action = 'restore_breach' and state = 'pending')
         + (select count(*) from receipts where state = 'pending')
         + (select count(*) from core_event where dispatched_at is null)
         + (select count(*) from notifications_delivery where state in ('queued', 'sending'))
"""


def nothing_is_due(stack: Stack) -> bool:
    return ask(stack, DUE) == [(0,)]


def ask(stack: Stack, sql: str) -> list[tuple[Any, ...]]:
    with (
        suppress(psycopg.OperationalError),
        psycopg.connect(stack.env["DATABASE_OWNER_URL"]) as rows,
    ):
        return rows.execute(sql).fetchall()
    return []


def test_whatever_was_answered_202_is_there_and_parsed(aftermath: Aftermath) -> None:
    states = aftermath.ask(
        "select state, count(*) from receipts where id = any(%s::uuid[]) group by state",
        aftermath.sender.receipts,
    )

    assert states == [{"state": "parsed", "count": len(aftermath.sender.receipts)}]


def test_every_alert_is_there_once(aftermath: Aftermath) -> None:
    (counted,) = aftermath.ask("select count(*) from alerts")

    assert counted["count"] == 2490


def test_the_storm_is_one_incident_with_one_room(aftermath: Aftermath) -> None:
    incidents = aftermath.ask(OPENED)
    rooms = aftermath.ask("select 1 from warroom_room where incident_id = %s", aftermath.number)

    assert len(incidents) == len(rooms) == 1


def test_every_step_of_both_clocks_happened_exactly_once(aftermath: Aftermath) -> None:
    steps = aftermath.ask(
        "select action, domains, state from warroom_clockstep where incident_id = %s",
        aftermath.number,
    )
    first = Counter(step["action"] for step in steps if step["domains"] is None)
    told = aftermath.ask(
        "select kind, count(*) from warroom_timelineentry where incident_id = %s"
        " and kind in ('assemble_breached', 'safest_restart', 'restore_breached') group by kind",
        aftermath.number,
    )

    assert not [step for step in steps if step["state"] == "pending"]
    assert set(first.values()) == {1}
    assert {row["kind"]: row["count"] for row in told} == {
        "assemble_breached": 1,
        "safest_restart": 1,
        "restore_breached": 1,
    }


def test_a_deadline_is_recorded_at_its_instant_and_met_soon_after_an_outage(
    aftermath: Aftermath,
) -> None:
    late = aftermath.ask(
        "select extract(epoch from max(fired_at - due_at)) as seconds from warroom_clockstep"
        " where incident_id = %s",
        aftermath.number,
    )
    breached = aftermath.ask(
        "select breached_at = due_at as exact from warroom_clock where incident_id = %s",
        aftermath.number,
    )

    assert late[0]["seconds"] < LATE_SECONDS
    assert all(clock["exact"] for clock in breached)


def test_there_is_one_delivery_per_person_step_and_channel(aftermath: Aftermath) -> None:
    deliveries = aftermath.ask(
        "select person_id, step_key, channel from notifications_delivery where incident_number = %s",
        aftermath.number,
    )
    calls = Counter(
        (d["person_id"], d["channel"])
        for d in deliveries
        if d["step_key"] == f"inc:{aftermath.number}:ladder:0"
    )

    assert len({tuple(d.values()) for d in deliveries}) == len(deliveries)
    assert set(calls.values()) == {1}


def test_a_message_that_was_sent_again_carries_the_same_id_and_a_mark(aftermath: Aftermath) -> None:
    seen: set[str] = set()
    for message in aftermath.mailbox.messages:
        identity = str(message["Message-ID"])
        assert identity not in seen or message["X-WarRoom-Repeat"] == "yes"
        seen.add(identity)
    sent = aftermath.ask(
        "select message_id from notifications_delivery where channel = 'mail' and state = 'sent'"
    )

    assert sent
    assert {f"<{row['message_id']}@warroom>" for row in sent} <= seen
