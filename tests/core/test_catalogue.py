"""Extraction without the gettext programs, and what `catalogue check` finds."""

from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from pytest_django import Settings

from core.management.commands.catalogue import _template_texts


def test_templates_give_their_texts_with_plurals_contexts_and_placeholders() -> None:
    source = (
        "{% load i18n %}{% translate 'Join' %}{% translate 'May' context 'month' %}"
        "{% blocktranslate count n=n %}{{ n }} card{% plural %}{{ n }} cards{% endblocktranslate %}"
    )

    assert list(_template_texts(source)) == [
        ("Join", None),
        ("May", "month"),
        (("%(n)s card", "%(n)s cards"), None),
    ]


@pytest.fixture
def small_site(tmp_path: Path, settings: Settings) -> Path:
    (tmp_path / "core").mkdir()
    (tmp_path / "config").mkdir()
    (tmp_path / "templates").mkdir()
    (tmp_path / "core" / "words.py").write_text('_("%(n)s cards")\n')
    settings.BASE_DIR, settings.LOCAL_APPS = tmp_path, ["core"]
    return tmp_path / "locale/core/zh_Hans/LC_MESSAGES/django.po"


def test_a_missing_translation_fails_the_check_by_name(
    small_site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("catalogue", "update")

    with pytest.raises(CommandError):
        call_command("catalogue", "check")

    assert "no translation for '%(n)s cards' (core/words.py)" in capsys.readouterr().err


def test_an_unused_translation_fails_the_check_and_goes_with_the_next_update(
    small_site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("catalogue", "update")
    (small_site.parents[4] / "core" / "words.py").write_text("")

    with pytest.raises(CommandError):
        call_command("catalogue", "check")
    call_command("catalogue", "update")
    call_command("catalogue", "check")

    assert "unused translation of '%(n)s cards'" in capsys.readouterr().err


def test_another_placeholder_fails_the_check(
    small_site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("catalogue", "update")
    text = small_site.read_text()
    small_site.write_text(text.replace('cards"\nmsgstr ""', 'cards"\nmsgstr "%(m)s 张卡"'))

    with pytest.raises(CommandError):
        call_command("catalogue", "check")

    assert "placeholders differ" in capsys.readouterr().err


def test_every_app_has_its_catalogue() -> None:
    assert [settings.BASE_DIR / "locale" / a for a in settings.LOCAL_APPS] == settings.LOCALE_PATHS
