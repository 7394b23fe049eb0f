"""What core itself puts into the registries."""

from core import registry
from core.operations import events
from core.queries import metrics_of_core, ready_database, ready_sweep

registry.sweeps.add("10-events", events.dispatch_due)
registry.metrics.add("core", metrics_of_core)
registry.readiness.add("database", ready_database)
registry.readiness.add("sweep", ready_sweep)
