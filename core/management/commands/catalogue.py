"""
`catalogue update|check|compile [app …]`: the translations, without the gettext programs.

One catalogue per app: its Python, its templates under `templates/<app>/`. What is at the root of
`templates/`, in `components/` and `registration/`, and in `config/` belongs to `core`. Scripts have
no catalogue: their sentences come from the page (`script_words`).
"""

import ast
import io
import re
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation.template import templatize

LOCALE = "zh_Hans"
KEYWORDS: dict[str, Any] = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
CORE_FOLDERS = ("components", "registration", "admin")
LITERAL = r"""u?(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
CALL = re.compile(
    rf"\b(?P<name>n?p?gettext|_)\(\s*(?P<args>{LITERAL}(?:\s*,\s*{LITERAL})*)", re.DOTALL
)
PLACEHOLDER = re.compile(r"%\(\w+\)[\d.]*[a-z]|%%|%[sd]|\{\w+\}")
WRITTEN = datetime(2026, 1, 1, tzinfo=UTC)  # a fixed date: a catalogue changes only with its words


class Found(NamedTuple):
    """One translatable text of the source."""

    id: str | tuple[str, str]
    context: str | None
    file: str


class Command(BaseCommand):
    help = (
        "Update, check or compile the translations. "
        "Example: manage.py catalogue update warroom && manage.py catalogue check"
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("verb", choices=["update", "check", "compile"])
        parser.add_argument("apps", nargs="*", help="default: all apps")

    def handle(self, *, verb: str, apps: list[str], **options: Any) -> None:
        unknown = set(apps) - set(settings.LOCAL_APPS)
        if unknown:
            raise CommandError(f"No such app: {', '.join(sorted(unknown))}.")
        chosen = apps or [app for app in settings.LOCAL_APPS if (settings.BASE_DIR / app).is_dir()]
        {"update": self.update, "check": self.check_all, "compile": self.compile}[verb](chosen)

    def update(self, apps: list[str]) -> None:
        known = _known_translations()
        for app in apps:
            catalog = _updated(app, known)
            _write(app, catalog)
            empty = sum(not _is_translated(message) for message in catalog if message.id)
            self.stdout.write(f"{app}: {len(catalog)} texts, {empty} without a translation")

    def check_all(self, apps: list[str]) -> None:
        faults = [fault for app in apps for fault in _faults(app)]
        for fault in faults:
            self.stderr.write(fault)
        if faults:
            raise CommandError(
                f"{len(faults)} faults. Run `manage.py catalogue update`, then write what is missing."
            )
        self.stdout.write(self.style.SUCCESS(f"{len(apps)} catalogues are complete"))

    def compile(self, apps: list[str]) -> None:
        done = 0
        for app in apps:
            if _po(app).is_file():
                with _po(app).with_suffix(".mo").open("wb") as target:
                    write_mo(target, _read(app))
                done += 1
        self.stdout.write(self.style.SUCCESS(f"{done} catalogues compiled"))


def _po(app: str) -> Path:
    return Path(settings.BASE_DIR, "locale", app, LOCALE, "LC_MESSAGES", "django.po")


def _read(app: str) -> Catalog:
    if not _po(app).is_file():
        return _empty()
    with _po(app).open("rb") as source:
        return read_po(source, locale=LOCALE)


def _empty() -> Catalog:
    return Catalog(
        locale=LOCALE,
        project="War Room",
        version="1",
        header_comment="# The words of look.md: one English word, one Chinese word.",
        msgid_bugs_address="the issue tracker",
        last_translator="the War Room team",
        language_team="the War Room team",
        creation_date=WRITTEN,
        revision_date=WRITTEN,
        fuzzy=False,
    )


def _write(app: str, catalog: Catalog) -> None:
    buffer = io.BytesIO()
    write_po(
        buffer,
        catalog,
        width=100,
        sort_output=True,
        include_lineno=False,
        ignore_obsolete=True,
        omit_header=False,
    )
    _po(app).parent.mkdir(parents=True, exist_ok=True)
    _po(app).write_bytes(buffer.getvalue())


def _updated(app: str, known: dict[tuple[Any, str | None], Any]) -> Catalog:
    """The catalogue with exactly the source's texts; what another app translated is taken over."""
    old, new = _read(app), _empty()
    for found in sorted(set(_extract(app)), key=lambda found: found.file):
        before = old.get(found.id, context=found.context)
        text = before.string if before and _is_translated(before) else ""
        text = text or known.get((found.id, found.context), "")
        flags = before.flags - {"python-format"} if before else ()
        new.add(found.id, text, [(found.file, 1)], context=found.context, flags=flags)
    return new


def _known_translations() -> dict[tuple[Any, str | None], Any]:
    known = {}
    for app in settings.LOCAL_APPS:
        for message in _read(app):
            if message.id and _is_translated(message) and not message.fuzzy:
                known[message.id, message.context] = message.string
    return known


def _is_translated(message: Message) -> bool:
    text = message.string
    return all(text) if isinstance(text, tuple) else bool(text)


def _faults(app: str) -> Iterator[str]:
    catalog = _read(app)
    used = set()
    for found in set(_extract(app)):
        used.add((found.id, found.context))
        message = catalog.get(found.id, context=found.context)
        text = _first(found.id)
        if message is None or not _is_translated(message):
            yield f"{app}: no translation for {text!r} ({found.file})"
        elif message.fuzzy:
            yield f"{app}: fuzzy translation of {text!r}"
        elif _placeholders(message.id) != _placeholders(message.string):
            yield f"{app}: placeholders differ in the translation of {text!r}"
    for message in catalog:
        if message.id and (message.id, message.context) not in used:
            yield f"{app}: unused translation of {_first(message.id)!r}"


def _first(text: str | tuple[str, ...] | list[str]) -> str:
    return text if isinstance(text, str) else text[0]


def _placeholders(text: str | tuple[str, ...] | list[str] | None) -> set[str]:
    longest = text if isinstance(text, str) else (text or ("",))[-1]
    return set(PLACEHOLDER.findall(longest))


def _extract(app: str) -> Iterator[Found]:
    base = Path(settings.BASE_DIR)
    for path in _python_files(base, app):
        with path.open("rb") as source:
            for _, text, _, context in extract("python", source, KEYWORDS, options={}):
                yield Found(_id(text), context, str(path.relative_to(base)))
    for path in _templates(base, app):
        for found_id, context in _template_texts(path.read_text(encoding="utf-8")):
            yield Found(found_id, context, str(path.relative_to(base)))


def _id(text: Any) -> str | tuple[str, str]:
    """One text, or singular and plural."""
    parts = [part for part in ([text] if isinstance(text, str) else text) if part is not None]
    return parts[0] if len(parts) == 1 else (parts[-2], parts[-1])


def _python_files(base: Path, app: str) -> Iterable[Path]:
    folders = [base / app, base / "config"] if app == "core" else [base / app]
    files = [path for folder in folders for path in folder.rglob("*.py")]
    return sorted(path for path in files if "migrations" not in path.parts)


def _templates(base: Path, app: str) -> list[Path]:
    root = base / "templates"
    if app != "core":
        return sorted(path for path in (root / app).rglob("*") if path.is_file())
    shared = [path for folder in CORE_FOLDERS for path in (root / folder).rglob("*.html")]
    return sorted([*root.glob("*.html"), *shared])


def _template_texts(source: str) -> Iterator[tuple[str | tuple[str, str], str | None]]:
    """Django turns a template into something like Python; the calls in it are what counts."""
    for call in CALL.finditer(templatize(source)):
        texts = [ast.literal_eval(literal) for literal in re.findall(LITERAL, call["args"])]
        name = call["name"]
        context = texts.pop(0) if name in {"pgettext", "npgettext"} else None
        yield (texts[0], texts[1]) if name.startswith("n") else texts[0], context
