from django.db import models

from people.states import Condition, Domain, Letter


class Responsibility(models.Model):
    """One cell of the matrix: what a domain is to a failure class, and when."""

    failure_class = models.CharField(max_length=16)
    domain = models.CharField(max_length=3, choices=Domain)
    letter = models.CharField(max_length=1, choices=Letter, blank=True)
    condition = models.CharField(max_length=24, choices=Condition, blank=True)
    version = models.PositiveIntegerField(default=1)

    class Meta:
        verbose_name_plural = "responsibilities"
        constraints = [
            models.UniqueConstraint(
                fields=["failure_class", "domain"], name="people_responsibility_one_a_cell"
            ),
            models.UniqueConstraint(
                fields=["failure_class"],
                condition=models.Q(letter="A"),
                name="people_responsibility_one_accountable",
            ),
            models.CheckConstraint(
                condition=~models.Q(letter="A") | models.Q(condition=""),
                name="people_responsibility_a_always",
            ),
            models.CheckConstraint(
                condition=models.Q(letter__in=["", *Letter.values]),
                name="people_responsibility_letter_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.failure_class}/{self.domain}: {self.letter or '-'} {self.condition}".strip()
