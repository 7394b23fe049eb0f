from django.db import models
from django.utils.translation import get_language


class Rule(models.Model):
    """One line of the classifier: the first enabled rule whose condition holds decides."""

    slug = models.SlugField(max_length=80, unique=True)
    order = models.PositiveIntegerField()
    name_en = models.CharField(max_length=200)
    name_zh = models.CharField(max_length=200)
    condition = models.JSONField(default=dict)
    outcome = models.JSONField(default=dict)
    enabled = models.BooleanField(default=True)
    # True: this project's own default, found in no published source.
    proposal = models.BooleanField(default=True)
    version = models.PositiveIntegerField(default=1)

    class Meta:
        indexes = [models.Index(fields=["order", "id"], name="alerts_rule_order")]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        return self.name_zh if (get_language() or "").startswith("zh") else self.name_en
