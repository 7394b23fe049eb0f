"""Small things that components ask for: faces of clocks, initials, words for the scripts."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zlib import crc32

from django import template
from django.utils import timezone
from django.utils.html import json_script
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.templatetags.warroom_time import duration

register = template.Library()
AMBER_FROM, RED_FROM = 0.5, 0.9  # look.md 2, the same in static/js/clock.js
AVATAR_COLOURS = 4
CLOCK_LABELS = {"assemble": gettext_lazy("Assemble"), "restore": gettext_lazy("Restore")}
RUNNING = {"running", "breached"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockFace:
    """What a clock shows at one instant; the browser ticks on from there."""

    label: str
    limit: str
    value: str
    word: str
    level: str
    icon: str
    passed: float
    ticking: bool


@register.filter
def clock_face(clock: Any) -> ClockFace:
    """`clock` has kind, state, started_at, due_at, met_at."""
    state = str(clock.state)
    label = str(CLOCK_LABELS.get(str(clock.kind)) or vars(clock).get("label") or clock.kind)
    limit = _limit((clock.due_at - clock.started_at).total_seconds())
    if state in RUNNING:
        return _running(clock, label, limit, timezone.now())
    if clock.met_at is None:
        return ClockFace(
            label=label,
            limit=limit,
            value="–",
            word=_("cancelled"),
            level="calm",
            icon="",
            passed=0.0,
            ticking=False,
        )
    late = clock.met_at > clock.due_at
    return ClockFace(
        label=label,
        limit=limit,
        value=duration(clock.met_at - clock.started_at),
        word=_("late") if late else _("in time"),
        level="late" if late else "met",
        icon="alert-triangle" if late else "check",
        passed=_passed(clock, clock.met_at),
        ticking=False,
    )


def _running(clock: Any, label: str, limit: str, now: datetime) -> ClockFace:
    passed = (now - clock.started_at) / (clock.due_at - clock.started_at)
    left = (clock.due_at - now).total_seconds()
    level = "over" if passed >= 1 else "red" if passed >= RED_FROM else "calm"
    return ClockFace(
        label=label,
        limit=limit,
        value=("+" if left < 0 else "") + duration(left),
        word=_("over") if left < 0 else _("left"),
        level="amber" if level == "calm" and passed >= AMBER_FROM else level,
        icon="",
        passed=_passed(clock, now),
        ticking=True,
    )


def _passed(clock: Any, at: datetime) -> float:
    ratio: float = (at - clock.started_at) / (clock.due_at - clock.started_at)
    return round(min(1.0, max(0.0, ratio)), 4)


def _limit(seconds: float) -> str:
    if seconds >= 3600 and seconds % 3600 == 0:
        return _("%(n)d h") % {"n": seconds // 3600}
    return (
        _("%(n)d min") % {"n": round(seconds / 60)}
        if seconds >= 60
        else _("%(n)d s") % {"n": seconds}
    )


@register.filter
def initials(name: object) -> str:
    """LW for Lin Wei, 伟 for 林伟: what fits an avatar."""
    text = str(name or "").strip()
    if text and ord(text[0]) > 0x2E80:  # CJK: the given name says more than the family's
        return text[-1]
    return "".join(part[0] for part in text.split()[:2]).upper() or "?"


@register.filter
def avatar_class(name: object) -> str:
    """The same person has the same colour on every page."""
    return f"avatar-{crc32(str(name).encode()) % AVATAR_COLOURS + 1}"


@register.filter
def number(value: float | None) -> str:
    """12,288; a dash for nothing."""
    return "–" if value is None else f"{value:,}"


@register.filter
def percent(value: float | None, digits: int = 1) -> str:
    return "–" if value is None else f"{value * 100:.{digits}f}%"


@register.filter
def inc(value: object) -> str:
    """An incident's number as people say it: INC-2041."""
    return f"INC-{value}" if value else ""


@register.filter
def lookup(mapping: Any, key: Any) -> Any:
    return mapping.get(key) if mapping else None


@register.simple_tag
def script_words() -> SafeString:
    """The sentences that static/js shows, as one JSON block (static/js/words.js)."""
    return json_script(
        {
            "live": _("live"),
            "connecting": _("connecting"),
            "polling": _("every 5 s since {time}, stream is down, retrying"),
            "unreached": _("no contact since {time}, retrying"),
            "no_contact": _("timers: no answer"),
            "undo": _("Undo"),
            "close": _("Close"),
            "copied": _("Copied"),
            "copy_by_hand": _("Selected: press Ctrl+C"),
            "panel_failed": _("Not fresh: the last refresh failed. It is tried again by itself."),
            "panel_unreached": _("Not fresh: the server cannot be reached. Retrying."),
            "failed": _(
                "The server could not do it (error {status}). Nothing was changed; your text is "
                "kept. Try again, and tell an administrator if it happens twice."
            ),
            "not_sent": _("Not sent: the server cannot be reached. Your text is kept. Try again."),
            "new_entries": _("{n} new"),
        },
        "words",
    )
