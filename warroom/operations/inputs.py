"""What a form or a JSON body says, as the values an action takes; every mistake at once."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from django.utils.dateparse import parse_datetime
from django.utils.timezone import is_naive
from django.utils.translation import gettext

from core.errors import Invalid
from people.models import User
from warroom.states.fields import Field

Reader = Callable[[Field, Any], Any]


class Unusable(Exception):
    """One value cannot be used; the text says what would."""


def read(fields: Mapping[str, Field], data: Mapping[str, Any]) -> dict[str, Any]:
    """
    The named values that were given, read by their kinds. Unknown names are left out.

    :raises Invalid: with a sentence for each field.
    """
    values: dict[str, Any] = {}
    wrong: dict[str, list[str]] = {}
    for name, field in fields.items():
        given = data.get(name)
        if given is None or (isinstance(given, str) and not given.strip()):
            if field.required:
                wrong[name] = [gettext("This is needed.")]
            continue
        try:
            values[name] = READERS[field.kind](field, given)
        except Unusable as problem:
            wrong[name] = [str(problem)]
    if wrong:
        raise Invalid(fields=wrong)
    return values


def _text(field: Field, given: Any) -> str:
    if not isinstance(given, str):
        raise Unusable(gettext("Write text here."))
    text = given.replace("\x00", "").strip()
    if len(text) > field.longest:
        raise Unusable(gettext("At most %(count)s characters, please.") % {"count": field.longest})
    return text


def _choice(field: Field, given: Any) -> str:
    if given not in field.choices:
        raise Unusable(gettext("Choose one of: %(words)s.") % {"words": ", ".join(field.choices)})
    return str(given)


def _number(given: Any) -> int:
    if isinstance(given, bool) or not str(given).strip().isdecimal():
        raise Unusable(gettext("Write a whole number, 0 or more."))
    return int(str(given).strip())


def _tier(field: Field, given: Any) -> int:
    number = _number(given)
    if number not in (1, 2, 3):
        raise Unusable(gettext("Tiers are 1, 2 and 3; a smaller number is more serious."))
    return number


def _user(field: Field, given: Any) -> User:
    """By username, or by id."""
    text = str(given).strip()
    found: User | None = User.objects.active().filter(username=text).first()
    if found is None and text.isdecimal() and len(text) < 18:  # a bigint's digits
        found = User.objects.active().filter(pk=int(text)).first()
    if found is None:
        raise Unusable(gettext("There is no active person with this name."))
    return found


def _instant(field: Field, given: Any) -> datetime:
    try:
        at = given if isinstance(given, datetime) else parse_datetime(str(given).strip())
    except ValueError:
        at = None
    if at is None or is_naive(at):
        raise Unusable(gettext("Write an instant with its offset, as 2026-03-02T09:00:00+08:00."))
    return at


def _jobs(field: Field, given: Any) -> list[dict[str, Any]]:
    if not isinstance(given, list) or not all(isinstance(row, Mapping) for row in given):
        raise Unusable(gettext("Give a list, one entry a job."))
    return [_job(row) for row in given]


def _job(row: Mapping[str, Any]) -> dict[str, Any]:
    if not row.get("job_id"):
        raise Unusable(gettext("Each entry names its job_id."))
    numbers = {
        name: _number(row[name])
        for name in ("checkpoint_step", "lost_steps")
        if row.get(name) not in (None, "")
    }
    return {"job_id": str(row["job_id"]), "waiver": str(row.get("waiver") or ""), **numbers}


READERS: dict[str, Reader] = {
    "text": _text,
    "word": _text,
    "choice": _choice,
    "tier": _tier,
    "user": _user,
    "instant": _instant,
    "jobs": _jobs,
}
