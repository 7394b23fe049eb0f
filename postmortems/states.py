"""Where a postmortem is. Pure data."""

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _


class PostmortemState(TextChoices):
    DRAFT = "draft", _("Draft")
    IN_REVIEW = "in_review", _("In review")
    PUBLISHED = "published", _("Published")
