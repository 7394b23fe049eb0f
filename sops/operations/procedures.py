"""Shipped procedures into the database; published versions never change."""

from datetime import datetime
from pathlib import Path
from typing import Any

from django.db import transaction

from core.operations import changes
from sops.adapters import yaml_files
from sops.models import Content, Procedure, ProcedureVersion
from sops.states import VersionState

LIBRARY_ORDER = ("TLF", "PSD", "NHG", "NCR", "NIN", "DRV")


@transaction.atomic
def load_shipped(*, at: datetime, folder: Path = yaml_files.SHIPPED) -> list[ProcedureVersion]:
    """
    Publish each shipped file whose meaning changed since it was last shipped.

    Runs keep the version that they began with. A site's own newer version is not outrun: a
    file that did not change publishes nothing.
    """
    loaded = (_load(content, at) for content in yaml_files.read_all(folder))
    return [version for version in loaded if version is not None]


def _load(content: dict[str, Any], at: datetime) -> ProcedureVersion | None:
    text = Content.read(content)
    checksum = yaml_files.checksum(content)
    procedure, _ = Procedure.objects.get_or_create(
        failure_class=text.failure_class, defaults={"order": _order(text.failure_class)}
    )
    Procedure.objects.select_for_update(no_key=True).get(pk=procedure.pk)
    versions = ProcedureVersion.objects.filter(procedure=procedure).order_by("-number")
    shipped = versions.filter(shipped=True).first()
    if shipped and shipped.checksum == checksum:
        return None
    newest = versions.first()
    version = ProcedureVersion.objects.create(
        procedure=procedure,
        number=newest.number + 1 if newest else 1,
        state=VersionState.PUBLISHED,
        content=content,
        checksum=checksum,
        shipped=True,
        created_at=at,
        published_at=at,
    )
    changes.record(actor=None, verb="procedure.publish", target=str(version), at=at)
    return version


def _order(code: str) -> int:
    return LIBRARY_ORDER.index(code) if code in LIBRARY_ORDER else len(LIBRARY_ORDER)
