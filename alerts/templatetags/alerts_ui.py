"""Pills of severities and states; reasons as sentences in the reader's language."""

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django import template
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from alerts.correlation import Words

register = template.Library()
WORDS = Words((Path(__file__).resolve().parents[1] / "data" / "reasons.yaml").read_text("utf-8"))
SEVERITY_PILLS = {"critical": "red", "error": "amber", "warning": "amber", "info": "info"}
STATE_PILLS = {"firing": "red", "resolved": "ok", "stale": "violet"}
GROUP_PILLS = {"open": "red", "quiet": "amber", "closed": "", "merged": "violet"}
RECEIPT_PILLS = {"failed": "red", "partly_parsed": "amber", "parsed": "ok", "pending": "info"}
LINK_SCHEMES = {"http", "https", "mailto"}


@register.filter
def severity_pill(value: str) -> str:
    return _pill(SEVERITY_PILLS, value)


@register.filter
def state_pill(value: str) -> str:
    return _pill(STATE_PILLS, value)


@register.filter
def group_pill(value: str) -> str:
    return _pill(GROUP_PILLS, value)


@register.filter
def receipt_pill(value: str) -> str:
    return _pill(RECEIPT_PILLS, value)


def _pill(pills: dict[str, str], value: str) -> str:
    return f"pill-{pills[value]}" if pills.get(value) else ""


@register.filter
def link_only(url: str) -> str:
    """A sender's address if it is one that may become a link, else nothing."""
    return url if urlsplit(url).scheme.lower() in LINK_SCHEMES else ""


@register.filter
def reason(why: dict[str, Any] | str) -> str:
    """A reason is a code and parameters; an unknown code shows itself; a person's words stay."""
    if isinstance(why, str):
        return why
    if str(why.get("code")) in WORDS:
        return WORDS.say(why, get_language() or "en")
    params = {name: str(value) for name, value in why.get("params", {}).items()}
    sentence = _sentences().get(str(why.get("code")), "")
    try:
        return sentence % params if sentence else _bare(why)
    except (KeyError, ValueError):
        return _bare(why)


def _bare(why: dict[str, Any]) -> str:
    params = ", ".join(f"{key} {value}" for key, value in why.get("params", {}).items())
    return f"{why.get('code', '')} {params}".strip()


def _sentences() -> dict[str, str]:
    return {
        "rule": _("Rule “%(rule)s” matched."),
        "no_rule": _("No classification rule matched."),
        "component": _("Its labels name %(path)s."),
        "component_unknown": _("Its labels name %(path)s, which the fleet does not know."),
        "handling_level": _("Fault code %(fault_code)s is handled at level %(level)s."),
    }


@register.filter
def note(slug: str) -> str:
    """What had to be assumed about an alert."""
    notes = {
        "severity_unknown": _(
            "Its severity is not one that we know: the source's default is shown."
        ),
        "severity_missing": _("It came without a severity: the source's default is shown."),
        "start_in_future": _("Its start lay in the future: the time of receipt counts."),
        "end_in_future": _("It said “resolved” with an end in the future: it counts as firing."),
        "end_zero": _("It said “resolved” with a zero end: it counts as firing."),
        "end_missing": _("It ended without saying when: the time of receipt counts."),
        "fingerprint_made": _("It came without a fingerprint: its labels are its identity."),
        "cut": _("Long fields were cut; the receipt keeps the whole body."),
    }
    return notes.get(slug, slug)
