from datetime import timedelta

import factory
from factory.django import DjangoModelFactory

from recovery.models import Recovery, Stage
from tests.factories.instants import NINE_OCLOCK


class RecoveryFactory(DjangoModelFactory[Recovery]):
    """A successful restart of 20 minutes, unless `minutes` or a trait says otherwise."""

    class Meta:
        model = Recovery

    recovery_id = factory.Sequence(lambda n: f"r-{n}")
    job_id = "pt-moe-700b-0318"
    fault_at = NINE_OCLOCK
    success = True
    first_step_at = factory.LazyAttribute(lambda o: o.fault_at + timedelta(minutes=o.minutes))
    cards = 384
    region = "ulanqab"

    class Params:
        minutes = 20
        failed = factory.Trait(
            success=False,
            first_step_at=None,
            failed_at=factory.LazyAttribute(lambda o: o.fault_at + timedelta(minutes=o.minutes)),
        )
        running = factory.Trait(success=False, first_step_at=None)


class StageFactory(DjangoModelFactory[Stage]):
    class Meta:
        model = Stage

    recovery = factory.SubFactory(RecoveryFactory)
    stage = "checkpoint_load"
    started_at = factory.LazyAttribute(lambda o: o.recovery.fault_at)
    ended_at = factory.LazyAttribute(lambda o: o.started_at + timedelta(minutes=4))
