import pytest

from sops.models import ProcedureVersion
from tests.factories.sops import VersionFactory, shipped


@pytest.fixture
def procedures(db: None) -> dict[str, ProcedureVersion]:
    """The six shipped procedures, published."""
    return {code: VersionFactory.create(code=code) for code in shipped()}
