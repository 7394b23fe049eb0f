from alerts.models.alerts import Alert, AlertQuerySet, Episode
from alerts.models.groups import AlertGroup, AlertGroupQuerySet
from alerts.models.receipts import Receipt, ReceiptQuerySet
from alerts.models.rules import Rule
from alerts.models.sources import Refusal, Source, SourceQuerySet
from alerts.models.tallies import Tally

__all__ = [
    "Alert",
    "AlertGroup",
    "AlertGroupQuerySet",
    "AlertQuerySet",
    "Episode",
    "Receipt",
    "ReceiptQuerySet",
    "Refusal",
    "Rule",
    "Source",
    "SourceQuerySet",
    "Tally",
]
