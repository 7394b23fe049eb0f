"""Weeks of receipts and months of episodes, made ahead by functions of the owner's role."""

from collections.abc import Iterable
from datetime import datetime

from alerts.operations import sql

WEEKS_AHEAD = 8
WEEKS_AT_LEAST = 2


def ahead() -> int:
    """Weeks of receipts that are ready after this one."""
    return int(sql.run("SELECT receipt_weeks_ahead()")[0][0])


def make_weeks() -> int:
    return int(sql.run("SELECT make_receipt_weeks(%s::integer)", WEEKS_AHEAD)[0][0])


def make_months(moments: Iterable[datetime]) -> None:
    """The months that these events lie in; cheap when they exist."""
    months = sorted(
        {moment.replace(day=1, hour=0, minute=0, second=0, microsecond=0) for moment in moments}
    )
    sql.run("SELECT make_episode_month(m) FROM unnest(%b::timestamptz[]) AS m", months)
