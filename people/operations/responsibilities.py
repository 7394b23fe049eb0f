from datetime import datetime
from pathlib import Path

import yaml
from django.db import transaction
from django.utils.translation import gettext

from core.errors import Invalid, NotAllowed, Refused, Stale
from core.operations import changes, live
from people.models import Responsibility, User
from people.states import Condition, Domain, Letter, Role

SHIPPED = Path(__file__).resolve().parents[1] / "data" / "responsibilities.yaml"


@transaction.atomic
def set_cell(
    *,
    failure_class: str,
    domain: str,
    letter: str,
    condition: str,
    version: int,
    by: User,
    at: datetime,
) -> Responsibility:
    """
    Write one cell of the matrix, read at `version` (0: it was empty).

    A class has exactly one A: giving it to a domain takes it from the other, which is then
    consulted; taking it away without a successor is refused.

    :raises Stale: if somebody else changed the cell since, with the cell as it is now.
    """
    _refuse_unknown(domain, letter, condition)
    if not by.at_least(Role.LEAD):
        raise NotAllowed(gettext("The matrix is changed by leads and administrators."))
    rows = {row.domain: row for row in _lock_row(failure_class)}
    row = rows.get(domain) or Responsibility(failure_class=failure_class, domain=domain, version=0)
    if row.version != version:
        raise _stale(row, f"{letter or '-'} {condition}".strip())
    former = next((r for r in rows.values() if r.letter == Letter.ACCOUNTABLE), None)
    if former and former.domain == domain and letter != Letter.ACCOUNTABLE:
        sentence = gettext("%(class)s needs exactly one A: give it to another domain first.")
        raise Refused(sentence % {"class": failure_class})
    if former and former.domain != domain and letter == Letter.ACCOUNTABLE:
        _write(former, Letter.CONSULTED, "", by=by, at=at)
    return _write(row, letter, condition, by=by, at=at)


@transaction.atomic
def load_shipped(*, at: datetime) -> int:
    """Load the shipped matrix for classes that have no cell yet; returns how many cells."""
    known = set(Responsibility.objects.values_list("failure_class", flat=True))
    shipped = yaml.safe_load(SHIPPED.read_text())["classes"]
    rows = [
        _shipped_cell(code, domain, text)
        for code, cells in shipped.items()
        if code not in known
        for domain, text in cells.items()
    ]
    Responsibility.objects.bulk_create(rows, ignore_conflicts=True)
    return len(rows)


def _shipped_cell(code: str, domain: str, text: str) -> Responsibility:
    letter, _, condition = text.partition(" ")
    return Responsibility(failure_class=code, domain=domain, letter=letter, condition=condition)


def _lock_row(failure_class: str) -> list[Responsibility]:
    rows = Responsibility.objects.filter(failure_class=failure_class).order_by("pk")
    return list(rows.select_for_update(no_key=True))


def _write(
    row: Responsibility, letter: str, condition: str, *, by: User, at: datetime
) -> Responsibility:
    before = {"letter": row.letter, "condition": row.condition}
    row.letter, row.condition, row.version = letter, condition, row.version + 1
    if row.pk:
        row.save(update_fields=["letter", "condition", "version"])
    else:
        row.save()
    changes.record(
        actor=by,
        verb="responsibility_changed",
        target=f"responsibility:{row.failure_class}/{row.domain}",
        at=at,
        before=before,
        after={"letter": letter, "condition": condition},
    )
    live.announce("duty")
    return row


def _stale(row: Responsibility, wanted: str) -> Stale:
    sentence = gettext(
        "Somebody else changed this cell; it now says %(now)s. Yours, %(yours)s, was not written."
    )
    return Stale(sentence % {"now": str(row), "yours": wanted})


def _refuse_unknown(domain: str, letter: str, condition: str) -> None:
    fields = {}
    for name, value, known in (
        ("domain", domain, Domain.values),
        ("letter", letter, ["", *Letter.values]),
        ("condition", condition, Condition.values),
    ):
        if value not in known:
            fields[name] = [gettext("One of %s.") % ", ".join(word or '""' for word in known)]
    if letter == Letter.ACCOUNTABLE and condition:
        fields["condition"] = [gettext("Whoever answers for a class does so always.")]
    if fields:
        raise Invalid(fields=fields)
