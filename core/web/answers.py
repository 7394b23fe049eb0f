"""What a view says beside its page: a toast, an undo, a dialog that is done."""

import json
from typing import Any

from django.http import HttpResponseBase


def toast(
    response: HttpResponseBase, text: str, *, level: str = "ok", undo_url: str = ""
) -> HttpResponseBase:
    """Show `text` at the edge of the page, with an undo button where `undo_url` can be posted."""
    return trigger(response, "toast", {"text": text, "level": level, "undo_url": undo_url})


def done(response: HttpResponseBase) -> HttpResponseBase:
    """Close the dialog that the form sits in."""
    return trigger(response, "done", {})


def trigger(response: HttpResponseBase, event: str, detail: dict[str, Any]) -> HttpResponseBase:
    """Let htmx raise `event` on the element that asked; several of them add up."""
    events = json.loads(response.headers.get("HX-Trigger", "{}"))
    response.headers["HX-Trigger"] = json.dumps({**events, event: detail})
    return response
