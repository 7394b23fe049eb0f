"""A sentence for each kind of timeline row, in the reader's language."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from sops.events import TimelineKind
from sops.states import CloseReason

Params = Mapping[str, Any]


def _named(params: Params) -> dict[str, Any]:
    """The parameters with every bilingual value in the reader's language."""
    key = "zh" if (get_language() or "").startswith("zh") else "en"
    return {
        name: value.get(key, "") if isinstance(value, Mapping) else value
        for name, value in params.items()
    }


def run_started(params: Params) -> str:
    if params.get("from_step"):
        return _("SOP %(sop)s %(name)s, version %(version)s, goes on at step %(from_step)s") % (
            _named(params)
        )
    return _("SOP %(sop)s %(name)s, version %(version)s, started") % _named(params)


def run_closed(params: Params) -> str:
    reason = params.get("reason", "")
    known = reason in CloseReason.values
    said = {**_named(params), "why": CloseReason(reason).label if known else reason}
    if reason == CloseReason.FINISHED:
        return _("SOP %(sop)s done: %(done)s of %(steps)s steps in %(used)s min") % said
    return _("SOP %(sop)s closed with %(done)s of %(steps)s steps done: %(why)s") % said


def step_started(params: Params) -> str:
    return _("SOP step %(step)s started early: %(title)s") % _named(params)


def step_done(params: Params) -> str:
    said = _named(params)
    if params.get("lines"):
        return (
            _(
                "SOP step %(step)s done in %(used)s of %(budget)s min: %(title)s (output: %(lines)s lines)"
            )
            % said
        )
    return _("SOP step %(step)s done in %(used)s of %(budget)s min: %(title)s") % said


def step_failed(params: Params) -> str:
    return _("SOP step %(step)s failed after %(used)s of %(budget)s min: %(title)s") % _named(
        params
    )


def step_retried(params: Params) -> str:
    return _("SOP step %(step)s tried again (attempt %(attempt)s): %(title)s") % _named(params)


def step_skipped(params: Params) -> str:
    return _("SOP step %(step)s skipped: %(title)s") % _named(params)


def step_branched(params: Params) -> str:
    said = _named(params)
    if params.get("to_tier"):
        return _("SOP step %(step)s: tier %(to_tier)s decided") % said
    if params.get("to_procedure"):
        return _("SOP step %(step)s: on to SOP %(to_procedure)s") % said
    return _("SOP step %(step)s: branch to step %(to)s, %(to_title)s") % said


def step_decide(params: Params) -> str:
    return _(
        "SOP step %(step)s is at twice its budget of %(budget)s min, the commander decides: "
        "branch, raise the tier, or stop (%(title)s)"
    ) % _named(params)


TEXTS = {
    TimelineKind.RUN_STARTED: run_started,
    TimelineKind.RUN_CLOSED: run_closed,
    TimelineKind.STEP_STARTED: step_started,
    TimelineKind.STEP_DONE: step_done,
    TimelineKind.STEP_FAILED: step_failed,
    TimelineKind.STEP_RETRIED: step_retried,
    TimelineKind.STEP_SKIPPED: step_skipped,
    TimelineKind.STEP_BRANCHED: step_branched,
    TimelineKind.STEP_DECIDE: step_decide,
}
