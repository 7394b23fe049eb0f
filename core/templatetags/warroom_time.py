"""Instants in the viewer's zone with the site's zone on hover, and durations as people say them."""

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django import template
from django.conf import settings
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

register = template.Library()
MINUTE, HOUR, DAY = 60, 3600, 86400
DASH = SafeString('<span class="text-secondary">–</span>')


@register.filter
def when(value: datetime | None, form: str = "short") -> SafeString:
    """`short`: 02:14 today, else 11-30 02:14; `exact`: with seconds; `full`: date and zone too."""
    if value is None:
        return DASH
    local = timezone.localtime(value)
    return format_html(
        '<time datetime="{}" title="{}">{}</time>',
        value.isoformat(),
        in_site(value),
        _text(local, form),
    )


def _text(local: datetime, form: str) -> str:
    if form == "full":
        return f"{local:%Y-%m-%d %H:%M:%S} {local.tzname()}"
    clock = f"{local:%H:%M:%S}" if form == "exact" else f"{local:%H:%M}"
    today = timezone.localtime(timezone.now())
    if local.date() == today.date():
        return clock
    return f"{local:%m-%d} {clock}" if local.year == today.year else f"{local:%Y-%m-%d} {clock}"


def in_site(value: datetime) -> str:
    local = value.astimezone(ZoneInfo(settings.SITE_ZONE))
    return f"{local:%Y-%m-%d %H:%M:%S} {settings.SITE_ZONE}"


@register.filter
def ago(value: datetime | None) -> SafeString:
    """ "3 min ago"; the page keeps it true (times.js)."""
    if value is None:
        return DASH
    seconds = (timezone.now() - value).total_seconds()
    return format_html(
        '<time data-ago datetime="{}" title="{}">{}</time>',
        value.isoformat(),
        in_site(value),
        _("%(time)s ago") % {"time": words(seconds)} if seconds >= 0 else words(seconds),
    )


@register.filter
def duration(value: timedelta | float | None) -> str:
    """Seconds as 06:12, 01:18:44 or 3 d 4 h, as the clocks write them."""
    if value is None:
        return "–"
    whole = abs(int(_seconds(value)))
    if whole >= 2 * DAY:
        return _("%(days)d d %(hours)d h") % {"days": whole // DAY, "hours": whole % DAY // HOUR}
    minutes = f"{whole % HOUR // MINUTE:02}:{whole % MINUTE:02}"
    return f"{whole // HOUR:02}:{minutes}" if whole >= HOUR else minutes


@register.filter
def minutes(value: timedelta | float | None, digits: int = 1) -> str:
    """Seconds as minutes with their unit: 18.4 min."""
    if value is None:
        return "–"
    return _("%(minutes)s min") % {"minutes": f"{_seconds(value) / MINUTE:.{digits}f}"}


@register.filter
def words(value: timedelta | float) -> str:
    """The largest unit that says it: 40 s, 12 min, 3 h, 2 days."""
    seconds = abs(int(_seconds(value)))
    if seconds < MINUTE:
        return _("%(n)d s") % {"n": seconds}
    if seconds < HOUR:
        return _("%(n)d min") % {"n": seconds // MINUTE}
    if seconds < DAY:
        return _("%(n)d h") % {"n": seconds // HOUR}
    days = seconds // DAY
    return ngettext("%(n)d day", "%(n)d days", days) % {"n": days}


@register.filter
def until(value: datetime | None, start: datetime | None) -> Any:
    """Seconds from `start` to `value`, for `duration`; None when either is missing."""
    return None if value is None or start is None else (value - start).total_seconds()


def _seconds(value: timedelta | float) -> float:
    return value.total_seconds() if isinstance(value, timedelta) else float(value)
