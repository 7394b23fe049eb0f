from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db.models import TextChoices

FILE = Path("docs") / "states.md"
HEAD = """# States

Every state machine of the product, written from the tables that the code runs on
(`manage.py describe_states`; a test compares them). A row reads: from, by, to.
"""


def described() -> str:
    """All transition tables of all apps as Markdown with Mermaid diagrams."""
    parts = [HEAD]
    for app in settings.LOCAL_APPS:
        for name, table in _tables(app):
            parts.append(
                f"## {app}: {name}\n\n```mermaid\nstateDiagram-v2\n{_diagram(table)}\n```\n"
            )
    return "\n".join(parts)


def _tables(app: str) -> Iterator[tuple[str, Mapping[Any, Any]]]:
    for module in _modules(app):
        for name, value in vars(module).items():
            if name.isupper() and isinstance(value, dict) and value and _is_table(value):
                yield f"{module.__name__.removeprefix(app + '.')}.{name}", value


def _modules(app: str) -> Iterator[ModuleType]:
    if not find_spec(f"{app}.states"):
        return
    top = import_module(f"{app}.states")
    folder = getattr(top, "__path__", None)
    if folder is None:
        yield top
        return
    for path in sorted(Path(folder[0]).glob("*.py")):
        if path.stem != "__init__":
            yield import_module(f"{app}.states.{path.stem}")


def _is_table(table: Mapping[Any, Any]) -> bool:
    return all(_is_move(key, value) for key, value in table.items())


def _is_move(key: Any, value: Any) -> bool:
    if isinstance(key, tuple):
        return len(key) == 2 and isinstance(value, TextChoices)
    return isinstance(value, (set, frozenset)) and all(type(one) is type(key) for one in value)


def _diagram(table: Mapping[Any, Any]) -> str:
    lines = []
    for key, value in table.items():
        if isinstance(key, tuple):
            state, move = key
            lines.append(f"    {state.value} --> {value.value}: {move.value}")
        else:
            lines += [f"    {key.value} --> {target.value}" for target in sorted(value)]
    return "\n".join(lines)


class Command(BaseCommand):
    help = "Write docs/states.md from the transition tables. Example: manage.py describe_states"

    def handle(self, **options: Any) -> None:
        path = Path(settings.BASE_DIR) / FILE
        path.write_text(described())
        self.stdout.write(f"{FILE} written")
