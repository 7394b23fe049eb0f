from django.conf import settings
from django.db import models

from warroom.models.incidents import Incident
from warroom.states import Proof


class AffectedJob(models.Model):
    """
    A job that an incident holds up, and how we know that it runs again.

    `dropped_at`: later evidence showed that it never was affected. `lost_steps` counts
    steps between the fault and the checkpoint that was used; 0 is an answer, null is none.
    """

    incident = models.ForeignKey(Incident, models.CASCADE, related_name="jobs")
    job_id = models.CharField(max_length=200)
    added_at = models.DateTimeField()
    dropped_at = models.DateTimeField(null=True)
    restored_at = models.DateTimeField(null=True)
    proof = models.CharField(max_length=10, choices=Proof, blank=True, default="")
    proof_reason = models.TextField(blank=True, default="")
    proof_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    evidence = models.JSONField(default=dict)
    checkpoint_step = models.PositiveBigIntegerField(null=True)
    lost_steps = models.PositiveBigIntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["incident", "job_id"], name="warroom_job_once"),
            models.CheckConstraint(
                condition=models.Q(restored_at=None, proof="")
                | (models.Q(restored_at__isnull=False) & ~models.Q(proof="")),
                name="warroom_job_proof",
            ),
        ]
        indexes = [
            models.Index(
                fields=["job_id"], name="warroom_job_waiting", condition=models.Q(restored_at=None)
            )
        ]

    def __str__(self) -> str:
        return f"{self.job_id} in INC-{self.incident_id}"
