"""ECharts options of the daily page. Everything is in minutes; colours are tokens of the style."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from recovery.queries.pages import Bar
from recovery.states import BASELINE_S, ON_PATH, TARGET_S, StageSlug

MINUTE = 60
BASELINE_MIN, TARGET_MIN = BASELINE_S // MINUTE, TARGET_S // MINUTE
ROOM = 1.12  # the axis ends a little after the longest bar
NARROW_MIN = 60  # up to here the baseline is off the scale, and the chart says so


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRow:
    slug: str
    name: Any
    median_seconds: float | None
    p90_seconds: float | None


def stage_rows(report: dict[str, Any]) -> list[StageRow]:
    """The stages of the day in their order; those that nobody reported are empty."""
    found = report["stages"]
    return [
        StageRow(
            slug=slug,
            name=StageSlug(slug).label,
            median_seconds=found.get(slug, {}).get("median_seconds"),
            p90_seconds=found.get(slug, {}).get("p90_seconds"),
        )
        for slug in StageSlug.values
        if slug in found or slug in ON_PATH
    ]


def stages(bars: Sequence[Bar]) -> dict[str, Any]:
    """One bar a recovery, the stages stacked; a bar leads to its incident."""
    longest = max((sum(bar.seconds.values()) / MINUTE for bar in bars), default=0.0)
    end = _axis_end(longest)
    series = [_series(slug, bars) for slug in ON_PATH]
    series[0]["markLine"] = _lines(end)
    return {
        "grid": {"left": 8, "right": 56, "top": 84, "bottom": 8, "containLabel": True},
        "legend": {"top": 0, "left": 0, "itemWidth": 14, "itemHeight": 10, "itemGap": 12},
        "tooltip": {"trigger": "item"},
        "xAxis": {"type": "value", "min": 0, "max": end, "axisLabel": {"formatter": _axis_label()}},
        "yAxis": {"type": "category", "inverse": True, "data": [_name(bar) for bar in bars]},
        "series": series,
    }


def comparison(report: dict[str, Any]) -> dict[str, Any]:
    """The day's median and P90 beside the target and the baseline, on one scale from zero."""
    found = report["recoveries"]
    rows = [
        (_("Baseline"), BASELINE_S, "var(--wr-chart-8)"),
        (_("P90"), found["p90_seconds"], "var(--wr-chart-2)"),
        (_("Median"), found["median_seconds"], "var(--wr-chart-1)"),
        (_("Target"), TARGET_S, "var(--wr-chart-3)"),
    ]
    data = [
        {"value": round((seconds or 0) / MINUTE, 1), "itemStyle": {"color": colour}}
        for _name, seconds, colour in rows
    ]
    return {
        "grid": {"left": 8, "right": 64, "top": 8, "bottom": 8, "containLabel": True},
        "xAxis": {
            "type": "value",
            "min": 0,
            "splitNumber": 4,
            "axisLabel": {"formatter": _axis_label()},
        },
        "yAxis": {"type": "category", "inverse": True, "data": [name for name, *_rest in rows]},
        "series": [
            {
                "type": "bar",
                "barMaxWidth": 18,
                "data": data,
                "label": {"show": True, "position": "right", "color": "var(--wr-chart-ink)"},
            }
        ],
    }


def _series(slug: str, bars: Sequence[Bar]) -> dict[str, Any]:
    return {
        "name": str(StageSlug(slug).label),
        "type": "bar",
        "stack": "stages",
        "barMaxWidth": 20,
        "itemStyle": {
            "color": f"var(--wr-stage-{slug})",
            "borderColor": "var(--tblr-bg-surface)",
            "borderWidth": 1,
        },
        "data": [{"value": round(bar.seconds[slug] / MINUTE, 2), "url": _url(bar)} for bar in bars],
    }


def _lines(end: int) -> dict[str, Any]:
    """Target and baseline; a baseline beyond the axis stands at its edge, with an arrow."""
    lines = [_line(TARGET_MIN, _("target %(minutes)d") % {"minutes": TARGET_MIN}, "var(--wr-ok)")]
    text = _("baseline %(minutes)d") % {"minutes": BASELINE_MIN}
    beyond = end < BASELINE_MIN
    lines.append(
        _line(end if beyond else BASELINE_MIN, f"{text} →" if beyond else text, "var(--wr-red)")
    )
    return {"symbol": "none", "silent": True, "data": lines}


def _line(at: int, text: str, colour: str) -> dict[str, Any]:
    return {
        "xAxis": at,
        "lineStyle": {"color": colour, "type": "dashed", "width": 1.5},
        # The axis of names is inverse, so its start is the top of the chart.
        "label": {"formatter": text, "color": colour, "position": "start"},
    }


def _axis_end(longest: float) -> int:
    end = longest * ROOM
    if longest > NARROW_MIN:
        return math.ceil(max(end, BASELINE_MIN * ROOM) / 50) * 50
    return math.ceil(max(end, TARGET_MIN + 5) / 5) * 5


def _axis_label() -> str:
    return _("{value} min")


def _name(bar: Bar) -> str:
    recovery = bar.recovery
    name = f"INC-{recovery.incident_id}" if recovery.incident_id else recovery.recovery_id
    if recovery.failed_at and not recovery.success:
        return _("%(name)s failed") % {"name": name}
    return name if recovery.success else _("%(name)s running") % {"name": name}


def _url(bar: Bar) -> str:
    number = bar.recovery.incident_id
    return reverse("warroom:incident", args=[number]) if number else f"#recovery-{bar.recovery.pk}"
