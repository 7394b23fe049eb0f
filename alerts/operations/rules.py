"""The shipped classification rules as rows. Rows that a site edited are left alone."""

from typing import Any

import yaml
from django.db import transaction
from django.utils.text import slugify

from alerts.models import Rule
from alerts.queries.brain import SHIPPED_RULES

STEP = 10
RENEWED = ["order", "name_en", "name_zh", "condition", "outcome", "proposal"]


@transaction.atomic
def load_shipped() -> int:
    """Add or renew the shipped rules; a row that a person edited (version > 1) stays as it is."""
    rows: list[dict[str, Any]] = yaml.safe_load(SHIPPED_RULES.read_text("utf-8"))
    shipped = {rule.slug: rule for rule in (_rule(row, n * STEP) for n, row in enumerate(rows, 1))}
    stored = {rule.slug: rule for rule in Rule.objects.select_for_update()}
    Rule.objects.bulk_create([rule for slug, rule in shipped.items() if slug not in stored])
    ours = [rule for rule in stored.values() if rule.version == 1]
    Rule.objects.filter(pk__in=[rule.pk for rule in ours if rule.slug not in shipped]).delete()
    renewed = [_renew(rule, shipped[rule.slug]) for rule in ours if rule.slug in shipped]
    Rule.objects.bulk_update(renewed, RENEWED)
    return len(shipped)


def _renew(stored: Rule, shipped: Rule) -> Rule:
    for name in RENEWED:
        setattr(stored, name, getattr(shipped, name))
    return stored


def _rule(row: dict[str, Any], order: int) -> Rule:
    name = row.get("name_en") or row["name"]
    return Rule(
        slug=row.get("slug") or slugify(name)[:80] or f"rule-{order}",
        order=order,
        name_en=name,
        name_zh=row.get("name_zh") or name,
        condition=row["when"],
        outcome=row["then"],
        proposal=row.get("proposal", True),
    )
