"""Senders and their keys."""

import hashlib
import secrets
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from alerts.models import Source
from alerts.states import SourceKind
from core.errors import Invalid
from core.operations import changes
from people.models import Audience, User

EDITABLE = (
    "name",
    "enabled",
    "region",
    "default_severity",
    "label_map",
    "volatile_labels",
    "is_drill",
    "stale_after_hours",
)


def key_hash(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()


@transaction.atomic
def create(
    *,
    kind: str,
    name: str,
    by: User | None,
    at: datetime,
    region: str = "",
    audience: Audience | None = None,
    is_drill: bool = False,
) -> tuple[Source, str]:
    """
    A new source and its key, which is shown this once and kept as a hash only.

    :raises Invalid: for an unknown kind or a name that is taken.
    """
    if kind not in SourceKind.values:
        words = ", ".join(SourceKind.values)
        raise Invalid(fields={"kind": [_("Choose one of: %(words)s.") % {"words": words}]})
    if not name.strip():
        raise Invalid(fields={"name": [_("Give the source a name.")]})
    key = secrets.token_hex(20)
    try:
        with transaction.atomic():
            source = Source.objects.create(
                name=name.strip()[:100],
                kind=kind,
                key_hash=key_hash(key),
                key_ends_with=key[-4:],
                region=region,
                audience=audience,
                is_drill=is_drill,
                created_at=at,
            )
    except IntegrityError:
        taken = _("There is a source of this name already.")
        raise Invalid(fields={"name": [taken]}) from None
    _record(source, "source.create", by=by, at=at, after={"kind": kind, "name": source.name})
    return source, key


@transaction.atomic
def new_key(*, source_id: int, by: User | None, at: datetime) -> tuple[Source, str]:
    """A new key; the old one stops working within seconds."""
    source, key = Source.objects.lock(source_id), secrets.token_hex(20)
    source.key_hash, source.key_ends_with = key_hash(key), key[-4:]
    source.version += 1
    source.save(update_fields=["key_hash", "key_ends_with", "version"])
    _record(source, "source.new_key", by=by, at=at)
    return source, key


@transaction.atomic
def edit(*, source_id: int, changes_to: dict[str, Any], by: User | None, at: datetime) -> Source:
    source = Source.objects.lock(source_id)
    wanted = {name: value for name, value in changes_to.items() if name in EDITABLE}
    before = {name: getattr(source, name) for name in wanted}
    for name, value in wanted.items():
        setattr(source, name, value)
    source.version += 1
    try:
        with transaction.atomic():
            source.save(update_fields=[*wanted, "version"])
    except IntegrityError:
        taken = _("There is a source of this name already.")
        raise Invalid(fields={"name": [taken]}) from None
    _record(source, "source.edit", by=by, at=at, before=before, after=wanted)
    return source


def _record(source: Source, verb: str, *, by: User | None, at: datetime, **what: Any) -> None:
    changes.record(actor=by, verb=verb, target=f"source:{source.pk}", at=at, **what)
