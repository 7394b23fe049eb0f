"""The one door for what people do to a run: pages and API come through here."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.translation import gettext

from core.errors import Invalid
from people.models import User
from sops.models import Run
from sops.operations import branches, runs, steps
from sops.states import Action


def take(*, run_id: int, action: str, data: Mapping[str, Any], by: User, at: datetime) -> Run:
    """
    The one door of pages and API: one of `Action` with its fields, as in the contract.

    :raises NotAllowed: for viewers; IllegalMove: if the step or run has moved on, with who was
        first; Invalid, NotFound: with a sentence about the field or the step.
    """
    if action == Action.START:
        return steps.start(run_id=run_id, step=data.get("step"), by=by, at=at)
    if action == Action.ABORT:
        return runs.abort(run_id=run_id, reason=_need(data, "reason"), by=by, at=at)
    number = int(data["step"])
    if action == Action.DONE:
        texts = {name: str(data.get(name) or "") for name in ("output", "note")}
        return steps.done(run_id=run_id, step=number, by=by, at=at, **texts)
    if action == Action.FAIL:
        output = str(data.get("output") or "")
        return steps.fail(
            run_id=run_id, step=number, note=_need(data, "note"), output=output, by=by, at=at
        )
    if action == Action.RETRY:
        return steps.retry(run_id=run_id, step=number, by=by, at=at)
    if action == Action.SKIP:
        return steps.skip(run_id=run_id, step=number, reason=_need(data, "reason"), by=by, at=at)
    return branches.branch(
        run_id=run_id,
        step=number,
        to=str(data.get("to", "")),
        note=str(data.get("note") or ""),
        by=by,
        at=at,
    )


def _need(data: Mapping[str, Any], name: str) -> str:
    text = str(data.get(name) or "").strip()
    if not text:
        raise Invalid(fields={name: [gettext("Say why in a few words.")]})
    return text
