"""What a filter says about a word that it does not know."""

from django.db.models import TextChoices
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _


def one_of(choices: type[TextChoices]) -> dict[str, object]:
    """The refusal of an unknown value, with the known ones."""
    words = ", ".join(choices.values)
    sentence = format_lazy("{} {}", _("Choose one of:"), words)
    return {"invalid_choice": sentence, "invalid_list": sentence}
