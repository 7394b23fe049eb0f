"""The timeline in words: one sentence a kind, in the reader's language, from code and parameters."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from core import registry
from people.states import Domain
from warroom.states import ClockKind, ClockState, IncidentState, Role, StepAction
from warroom.states.titles import root_name

Params = Mapping[str, Any]
LEVELS = {
    "primary": lambda: _("on duty"),
    "backup": lambda: _("backup"),
    "manager": lambda: _("manager"),
    "next_level": lambda: _("next level"),
    "last_resort": lambda: _("duty of last resort"),
}
WHAT = {
    "owner": lambda: _("ownership"),
    "commander": lambda: _("command"),
    "recovery_owner": lambda: _("the recovery"),
}


def sentence(kind: str, params: Params) -> str:
    """What a row says; kinds of other apps are rendered by whoever registered them."""
    own = TEXTS.get(kind)
    if own is not None:
        return own(params)
    registered = registry.timeline_texts.get(kind)
    return str(registered(params)) if registered else kind.replace("_", " ")


def because(reason: Params) -> str:
    """A rule's own words, or those of the reasons that are built in."""
    built_in = {
        "declared": _("declared by a person"),
        "sixty_minutes": _("not restored after 60 minutes"),
    }
    if reason.get("slug") == "person":
        return str(reason.get("reason") or "")
    chinese = (get_language() or "").startswith("zh")
    told = reason.get("zh" if chinese else "en") or built_in.get(str(reason.get("slug") or ""))
    return str(told or "")


def domain_names(codes: object) -> str:
    codes = codes if isinstance(codes, list) else [codes]
    joiner = "、" if (get_language() or "").startswith("zh") else ", "
    return joiner.join(str(Domain(c).label) if c in Domain.values else str(c) for c in codes)


def duration(seconds: float) -> str:
    whole = int(seconds)
    text = f"{whole // 60:02d}:{whole % 60:02d}"
    return f"{whole // 3600}:{whole // 60 % 60:02d}:{whole % 60:02d}" if whole >= 3600 else text


def _instant(text: object) -> str:
    try:
        at = datetime.fromisoformat(str(text))
    except ValueError:
        return ""
    return date_format(localtime(at), "Y-m-d H:i:s")


def _opened(p: Params) -> str:
    text = _("Opened at tier %(tier)s: %(because)s.") % {
        "tier": p.get("tier"),
        "because": because(p.get("because") or {}),
    }
    why = because(p.get("tier_because") or {})
    return f"{text} {_('Tier: %(why)s.') % {'why': why}}" if why else text


def _called(p: Params) -> str:
    people = "; ".join(
        _("%(name)s for %(domains)s")
        % {"name": one.get("name"), "domains": domain_names(one.get("domains") or [])}
        for one in p.get("people") or []
    )
    level = LEVELS.get(str(p.get("level")), lambda: "")()
    return _("Called (%(level)s): %(people)s.") % {"level": level, "people": people}


def _nobody(p: Params) -> str:
    levels = ", ".join(LEVELS.get(x, lambda: "")() for x in p.get("levels") or [])
    return _("Nobody on duty for %(domain)s (%(levels)s).") % {
        "domain": domain_names(p.get("domain")),
        "levels": levels,
    }


def _clock_met(p: Params) -> str:
    names = {
        "clock": str(ClockKind(p["clock"]).label),
        "time": duration(p.get("seconds") or 0),
        "limit": duration(p.get("limit") or 0),
    }
    if p.get("state") == ClockState.MET_LATE:
        return _("%(clock)s: met late, after %(time)s (limit %(limit)s).") % names
    return _("%(clock)s: met in %(time)s (limit %(limit)s).") % names


def _assemble_breached(p: Params) -> str:
    return _("Not assembled in time. Missing: %(domains)s. The room starts anyway.") % {
        "domains": domain_names(p.get("missing") or [])
    }


def _tier_raised(p: Params) -> str:
    names = {
        "before": p.get("before"),
        "after": p.get("after"),
        "why": because(p.get("because") or {}),
    }
    return _("Raised from tier %(before)s to tier %(after)s: %(why)s.") % names


def _what(p: Params) -> str:
    return ", ".join(WHAT.get(x, lambda: "")() for x in p.get("what") or [])


def _jobs(p: Params) -> str:
    jobs = p.get("jobs") or []
    if not jobs:
        return _("Marked restored.")
    text = ngettext(
        "Marked restored: %(jobs)s.", "Marked restored, %(count)d jobs: %(jobs)s.", len(jobs)
    )
    return text % {"jobs": ", ".join(jobs), "count": len(jobs)}


def _role(p: Params) -> str:
    role = str(p.get("role") or "")
    label = str(Role(role).label) if role in Role.values else role
    return _("%(person)s is now %(role)s.") % {"person": p.get("person"), "role": label}


def _stood_down(p: Params) -> str:
    missing = p.get("overridden") or []
    if not missing:
        return _("The room stood down.")
    return _("The room stood down with facts missing, by override: %(fields)s.") % {
        "fields": ", ".join(missing)
    }


def _expired(p: Params) -> str:
    return _("Too old to act on, only recorded: %(step)s.") % {
        "step": str(StepAction(p["action"]).label)
    }


def _class(code: object) -> str:
    return str(code or _("none"))


TEXTS: dict[str, Callable[[Params], str]] = {
    "proposed": lambda p: _("Proposed: %(because)s.") % {"because": because(p["because"])},
    "opened": _opened,
    "rejected": lambda p: _("The proposal was rejected."),
    "called": _called,
    "nobody_on_duty": _nobody,
    "asked_again": lambda p: _("%(person)s acknowledged but did not join, and is asked again.") % p,
    "domains_added": lambda p: _("Now also needed: %(d)s.") % {"d": domain_names(p["domains"])},
    "domains_dropped": lambda p: _("No longer needed: %(d)s.") % {"d": domain_names(p["domains"])},
    "class_changed": lambda p: (
        _("Class is now %(after)s (was %(before)s).")
        % {"after": _class(p.get("after")), "before": _class(p.get("before"))}
    ),
    "class_confirmed": lambda p: _("Class confirmed: %(after)s.") % {"after": p["after"]},
    "reclassified": lambda p: (
        _("Class changed to %(after)s (was %(before)s).")
        % {"after": _class(p.get("after")), "before": _class(p.get("before"))}
    ),
    "root_changed": lambda p: (
        _("Suspected root is now %(after)s (was %(before)s).")
        % {"after": root_name(p.get("after") or {}), "before": root_name(p.get("before") or {})}
    ),
    "root_confirmed": lambda p: _("Root confirmed: %(r)s.") % {"r": root_name(p["root"])},
    "root_unknown": lambda p: _("The root stays unknown."),
    "acknowledged": lambda p: _("Acknowledged."),
    "joined": lambda p: (
        _("Joined for %(d)s.") % {"d": domain_names(p["domains"])}
        if p.get("domains")
        else _("Joined.")
    ),
    "declined": lambda p: _("Cannot come."),
    "left": lambda p: _("Left."),
    "command_taken": lambda p: (
        _("Took command from %(before)s.") % p if p.get("before") else _("Took command.")
    ),
    "assigned": _role,
    "hand_over_offered": lambda p: (
        _("Offers %(what)s to %(taker)s.") % {"what": _what(p), "taker": p.get("taker")}
    ),
    "hand_over_accepted": lambda p: (
        _("Accepted %(what)s from %(giver)s.") % {"what": _what(p), "giver": p.get("giver")}
    ),
    "hand_over_refused": lambda p: _("Refused the hand-over of %(giver)s.") % p,
    "hand_over_expired": lambda p: _("%(taker)s did not answer; it stays with %(giver)s.") % p,
    "clock_met": _clock_met,
    "assemble_breached": _assemble_breached,
    "restore_breached": lambda p: _("Not restored in time."),
    "tier_raised": _tier_raised,
    "sixty_minutes": lambda p: _("Not restored after 60 minutes: report to the site head."),
    "safest_restart": lambda p: _(
        "90 minutes: choose the safest restart (smaller job, last good checkpoint, other supernode)"
        " instead of more diagnosis."
    ),
    "step_expired": _expired,
    "job_proven": lambda p: (
        _("%(job)s runs again: %(steps)s steps at %(ratio)s of its baseline.")
        % {"job": p["job"], "steps": p["steps"], "ratio": f"{float(p['ratio']):.0%}"}
    ),
    "marked_restored": _jobs,
    "restored_revoked": lambda p: _("Not restored after all; the clock goes on."),
    "state_moved": lambda p: _("Now: %(state)s.") % {"state": IncidentState(p["state"]).label},
    "occurred_confirmed": lambda p: _("Occurred at %(at)s.") % {"at": _instant(p["occurred_at"])},
    "note": lambda p: "",
    "stood_down": _stood_down,
    "reopened": lambda p: _("Reopened."),
    "false_alarm": lambda p: _("A false alarm."),
    "merged": lambda p: _("INC-%(number)s was merged into this incident.") % p,
    "merged_into": lambda p: _("Merged into INC-%(into)s.") % p,
}
