from functools import cache
from typing import Any

import factory
from factory.django import DjangoModelFactory

from sops.adapters import yaml_files
from sops.models import Procedure, ProcedureVersion
from sops.states import VersionState
from tests.factories.instants import NINE_OCLOCK


@cache
def shipped() -> dict[str, dict[str, Any]]:
    """The shipped procedures by failure class, read once for all tests."""
    return {content["failure_class"]: content for content in yaml_files.read_all()}


class ProcedureFactory(DjangoModelFactory[Procedure]):
    class Meta:
        model = Procedure
        django_get_or_create = ("failure_class",)

    failure_class = "DRV"


class VersionFactory(DjangoModelFactory[ProcedureVersion]):
    """The published shipped text of a class: `VersionFactory.create(code="NCR")`."""

    class Meta:
        model = ProcedureVersion

    class Params:
        code = "DRV"

    procedure = factory.SubFactory(ProcedureFactory, failure_class=factory.SelfAttribute("..code"))
    number = 1
    state = VersionState.PUBLISHED
    content = factory.LazyAttribute(lambda o: shipped()[o.code])
    checksum = factory.LazyAttribute(lambda o: yaml_files.checksum(o.content))
    shipped = True
    created_at = NINE_OCLOCK
    published_at = NINE_OCLOCK
