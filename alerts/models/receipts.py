from typing import Self

from django.contrib.postgres.fields import ArrayField
from django.db import models

from alerts.states import ReceiptState


class ReceiptQuerySet(models.QuerySet["Receipt"]):
    def failed_first(self) -> Self:
        """Failed, then partly parsed, then the rest; the newest first (ids are UUIDv7)."""
        rank = models.Case(
            models.When(state=ReceiptState.FAILED, then=0),
            models.When(state=ReceiptState.PARTLY_PARSED, then=1),
            default=2,
            output_field=models.SmallIntegerField(),
        )
        return self.annotate(rank=rank).order_by("rank", "-id")

    def without_body(self) -> Self:
        return self.defer("body")


class Receipt(models.Model):
    """
    One HTTP body, kept as received.

    The table is made anew in SQL (0002): range-partitioned by this UUIDv7 key by week,
    with no default partition and no foreign key to it or from it.
    """

    id = models.UUIDField(primary_key=True)
    source_id = models.BigIntegerField()
    kind = models.CharField(max_length=20)
    received_at = models.DateTimeField()
    address = models.CharField(max_length=64)
    size = models.PositiveIntegerField()
    body = models.BinaryField()
    state = models.CharField(max_length=15, choices=ReceiptState, default=ReceiptState.PENDING)
    reason = models.TextField(default="")
    parsed_at = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    alert_count = models.PositiveIntegerField(default=0)
    truncated_count = models.PositiveIntegerField(default=0)
    alert_ids = ArrayField(models.BigIntegerField(), default=list)
    incident_numbers = ArrayField(models.IntegerField(), default=list)

    objects = ReceiptQuerySet.as_manager()

    class Meta:
        db_table = "receipts"

    def __str__(self) -> str:
        return str(self.id)
