from pathlib import Path

from django.conf import settings

from core.management.commands.describe_states import FILE, described


def test_the_diagrams_of_the_documentation_are_the_tables_of_the_code() -> None:
    written = (Path(settings.BASE_DIR) / FILE).read_text()

    assert written == described(), "run manage.py describe_states"
