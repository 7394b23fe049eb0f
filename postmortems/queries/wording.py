"""The sentences of a draft, in the active language. A block is a code with its parameters."""

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from warroom.states.titles import root_name

Params = Mapping[str, Any]

TITLES = {
    "summary": gettext_lazy("Summary"),
    "impact": gettext_lazy("Impact"),
    "detection": gettext_lazy("How we noticed"),
    "response": gettext_lazy("How we gathered"),
    "recovery": gettext_lazy("What restored it"),
    "root_cause": gettext_lazy("Root cause"),
    "went_well": gettext_lazy("What went well"),
    "went_wrong": gettext_lazy("What went wrong"),
    "questions": gettext_lazy("Questions for the review"),
}


def span(value: float | None) -> str:
    """Seconds as people say them: 45 s, 6 min 12 s, 1 h 18 min."""
    if value is None:
        return "–"
    total = round(abs(value))
    hours, rest = divmod(total, 3600)
    minutes, left = divmod(rest, 60)
    if hours:
        return _("%(h)d h %(m)d min") % {"h": hours, "m": minutes}
    if minutes:
        return _("%(m)d min %(s)d s") % {"m": minutes, "s": left}
    return _("%(s)d s") % {"s": left}


def _with_span(text: str, p: Params) -> str:
    return text % {**p, "span": span(p.get("seconds"))}


def _domains(p: Params) -> str:
    return ", ".join(p.get("domains", []))


SENTENCES: dict[str, Callable[[Params], str]] = {
    "summary_restored": lambda p: _with_span(
        _("A tier %(tier)s incident, restored %(span)s after it was opened."), p
    ),
    "summary_unrestored": lambda p: _with_span(
        _("A tier %(tier)s incident, closed without a recorded restoration."), p
    ),
    "jobs": lambda p: _("Affected jobs: %(jobs)s.") % {"jobs": ", ".join(p["jobs"])},
    "no_job": lambda p: _("No training job was affected."),
    "card_hours": lambda p: _with_span(
        _("%(cards)s cards stood idle for %(span)s: %(card_hours)s card-hours."), p
    ),
    "lost_steps": lambda p: _("%(job_id)s went back %(steps)s steps to its checkpoint.") % p,
    "alerts": lambda p: (
        _("%(alerts)s alerts, received %(received)s times, became one incident.") % p
    ),
    "truncated": lambda p: _("The sender cut off %(count)s alerts that were never seen.") % p,
    "detected": lambda p: _with_span(_("The first alert came %(span)s after the fault."), p),
    "acknowledged": lambda p: _with_span(
        _("Somebody acknowledged %(span)s after the first alert."), p
    ),
    "never_acknowledged": lambda p: _("Nobody acknowledged it."),
    "assembled": lambda p: _with_span(_("Everybody required was there after %(span)s."), p),
    "located": lambda p: _with_span(_("The root was confirmed after %(span)s."), p),
    "said": lambda p: str(p["text"]),
    "job_proven": lambda p: _("%(job_id)s proved it: ten steps at 95 %% of its baseline.") % p,
    "job_waived": lambda p: _("%(job_id)s was declared restored by a person: %(reason)s") % p,
    "root": lambda p: (
        _("Suspected root: %(root)s. %(cause)s")
        % {"root": root_name(p["root"]), "cause": p["root"].get("cause") or ""}
    ),
    "root_unknown": lambda p: _("The root is not known."),
    "met_assemble": lambda p: _("The team was assembled in time."),
    "met_restore": lambda p: _("The job was restored in time."),
    "breached_assemble": lambda p: _("The assemble clock was missed."),
    "breached_restore": lambda p: _("The restore clock was missed."),
    "late_domains": lambda p: _("Late or missing: %(domains)s.") % {"domains": _domains(p)},
    "nobody_for": lambda p: _("Nobody was on duty for %(domains)s.") % {"domains": _domains(p)},
    "declined": lambda p: (
        ngettext("%(count)s person could not come.", "%(count)s people could not come.", p["count"])
        % p
    ),
    "silent": lambda p: (
        ngettext(
            "%(count)s required person never answered.",
            "%(count)s required people never answered.",
            p["count"],
        )
        % p
    ),
    "relapses": lambda p: (
        ngettext(
            "It came back %(count)s time after it was called restored.",
            "It came back %(count)s times after it was called restored.",
            p["count"],
        )
        % p
    ),
    "ask_occurred": lambda p: _("When did the fault really begin?"),
    "ask_root": lambda p: _("What broke first, and what shows it?"),
    "ask_assemble": lambda p: _("Why were the missing people not reached in time?"),
    "ask_restore": lambda p: _("Which step took the time, and what would have been faster?"),
    "ask_waiver": lambda p: _("Why could the job not prove itself, and does it run well now?"),
    "ask_earlier": lambda p: _("What would have shown this fault before the job stood still?"),
}


def sentence(block: Mapping[str, Any]) -> str:
    return SENTENCES[block["code"]](block.get("params", {}))
