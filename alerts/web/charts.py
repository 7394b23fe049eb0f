"""Options of ECharts as plain JSON; static/js/charts.js draws them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _


def minutes_chart(minutes: Sequence[tuple[datetime, int]]) -> dict[str, Any]:
    """Bars on a logarithmic axis from 1; a minute without alerts has no bar."""
    most = max((number for _moment, number in minutes), default=0)
    return {
        "grid": {"left": 44, "right": 4, "top": 8, "bottom": 20},
        "xAxis": {
            "type": "category",
            "data": [f"{timezone.localtime(moment):%H:%M}" for moment, _number in minutes],
            "axisLabel": {"interval": 9},
        },
        "yAxis": {
            "type": "log",
            "min": 1,
            "max": max(10, 10 ** len(str(most))),
            "axisLabel": {"formatter": "$number"},
        },
        "tooltip": {"trigger": "axis", "axisPointer": {"type": "shadow"}},
        "series": [
            {
                "type": "bar",
                "name": _("alerts received"),
                "barCategoryGap": "20%",
                "barMinHeight": 2,
                "data": [_bar(moment, number) for moment, number in minutes],
            }
        ],
    }


def _bar(moment: datetime, number: int) -> dict[str, Any]:
    since, until = moment.isoformat(), moment.replace(second=59).isoformat()
    query = f"?since={since}&until={until}".replace("+", "%2B")
    return {"value": number or None, "url": f"/alerts/{query}"}
