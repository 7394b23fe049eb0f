"""What an incident that nobody named is called, in the reader's language."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

LEVELS = {
    "card": _("card"),
    "link": _("link"),
    "node": _("node"),
    "nodes": _("nodes"),
    "switch": _("switch"),
    "supernode": _("supernode"),
    "plane": _("plane"),
    "service": _("service"),
    "line": _("dedicated line"),
    "facility": _("facility"),
    "region": _("region"),
    "job": _("job"),
    "monitoring": _("the monitoring itself"),
    "unknown": _("unknown"),
}


def short(path: str) -> str:
    """The part of a component's path that people say: without region and supernode."""
    tail = path.split("/")[1:] or [path]
    if len(tail) > 1 and not tail[1].startswith("plane:"):
        tail = tail[1:]
    return "/".join(part.split(":", 1)[-1] for part in tail)


def root_name(root: Mapping[str, Any]) -> str:
    """The suspected root in a few words: its level and whom it names."""
    level = str(root.get("level") or "unknown")
    paths = list(root.get("paths") or []) or ([root["path"]] if root.get("path") else [])
    label = str(LEVELS.get(level, level))
    joiner = " ↔ " if level == "link" else ", "
    names = joiner.join(short(str(path)) for path in paths[:3])
    more = f" +{len(paths) - 3}" if len(paths) > 3 else ""
    return f"{label} {names}{more}".strip()


def headline(title: str, code: str, params: Mapping[str, Any]) -> str:
    """What a person wrote, else class, root and job in the active language."""
    if code != "auto":
        return title
    chinese = (get_language() or "").startswith("zh")
    what = params.get("class_zh" if chinese else "class_en") or gettext("Alerts without a cause")
    text = gettext("%(what)s: %(root)s") % {
        "what": what,
        "root": root_name(params.get("root") or {}),
    }
    jobs = params.get("jobs") or []
    if not jobs:
        return text
    more = f" +{len(jobs) - 1}" if len(jobs) > 1 else ""
    return f"{text} · {jobs[0]}{more}"
