"""Which incident a recovery belongs to: the same job, around the same time."""

from datetime import datetime, timedelta

from django.db.models import Q

from recovery.models import Recovery
from warroom.models import AffectedJob, Incident
from warroom.states import IncidentState

# A controller may see the fault before the alerts do, and an incident may open late.
AROUND = timedelta(minutes=30)
NOT_REAL = [IncidentState.MERGED, IncidentState.REJECTED, IncidentState.FALSE_ALARM]


def incident_of(*, job_id: str, fault_at: datetime, until: datetime | None) -> Incident | None:
    """
    The earliest incident of the job that was open during the recovery, or opened around it.

    `until`: the first step after the restart; None while the recovery runs.
    """
    last = (until or fault_at) + AROUND
    ended = Q(restored_at=None, closed_at=None) | Q(restored_at__gte=fault_at)
    return (
        Incident.objects.filter(
            ended,
            pk__in=AffectedJob.objects.filter(job_id=job_id, dropped_at=None).values("incident"),
            opened_at__lte=last,
        )
        .exclude(state__in=NOT_REAL)
        .order_by("opened_at", "number")
        .first()
    )


def without_incident(number: int) -> list[int]:
    """Recoveries of the incident's jobs that found no incident so far."""
    incident = Incident.objects.get(number=number)
    job_ids = AffectedJob.objects.filter(incident=incident).values_list("job_id", flat=True)
    begun = incident.occurred_at or incident.opened_at
    return list(
        Recovery.objects.filter(
            incident=None, job_id__in=list(job_ids), fault_at__gte=begun - AROUND
        ).values_list("pk", flat=True)
    )
