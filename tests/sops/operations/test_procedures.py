from pathlib import Path
from shutil import copytree

import pytest
from django.core.management import call_command
from django.db import InternalError, connection, transaction
from django.db.utils import IntegrityError

from sops.adapters import yaml_files
from sops.models import ProcedureVersion
from sops.operations import procedures
from tests.factories import NINE_OCLOCK

pytestmark = pytest.mark.django_db


def test_loading_publishes_six_and_a_second_time_nothing() -> None:
    assert len(procedures.load_shipped(at=NINE_OCLOCK)) == 6
    assert procedures.load_shipped(at=NINE_OCLOCK) == []

    current = ProcedureVersion.objects.current()
    assert [v.procedure_id for v in current] == ["TLF", "PSD", "NHG", "NCR", "NIN", "DRV"]


def test_a_changed_file_makes_a_new_version_and_keeps_the_old_one(tmp_path: Path) -> None:
    folder = Path(copytree(yaml_files.SHIPPED, tmp_path / "data"))
    procedures.load_shipped(at=NINE_OCLOCK, folder=folder)
    file = folder / "drv.yaml"
    file.write_text(file.read_text().replace("The level is known.", "The level is written down."))

    published = procedures.load_shipped(at=NINE_OCLOCK, folder=folder)

    assert [str(version) for version in published] == ["SOP-DRV v2"]
    old = ProcedureVersion.objects.get(procedure="DRV", number=1)
    assert old.text.step(1).expected.en == "The level is known."


def test_spacing_alone_makes_no_new_version(tmp_path: Path) -> None:
    folder = Path(copytree(yaml_files.SHIPPED, tmp_path / "data"))
    procedures.load_shipped(at=NINE_OCLOCK, folder=folder)
    file = folder / "drv.yaml"
    file.write_text("# a remark\n\n" + file.read_text())

    assert procedures.load_shipped(at=NINE_OCLOCK, folder=folder) == []


@pytest.mark.parametrize(
    "statement",
    ["UPDATE sops_procedureversion SET number = 9", "DELETE FROM sops_procedureversion"],
)
def test_a_published_version_never_changes(statement: str) -> None:
    procedures.load_shipped(at=NINE_OCLOCK)

    with (
        pytest.raises((InternalError, IntegrityError), match="never changes"),
        transaction.atomic(),
    ):
        connection.cursor().execute(statement)

    assert ProcedureVersion.objects.filter(number=1).count() == 6


def test_the_command_says_what_it_did(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("load_procedures")

    assert "6 procedures published: SOP-DRV v1" in capsys.readouterr().out


@pytest.mark.usefixtures("as_the_product")
def test_the_products_own_role_may_load_them() -> None:
    assert len(procedures.load_shipped(at=NINE_OCLOCK)) == 6
