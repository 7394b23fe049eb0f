"""Reads that span the tree, the jobs and their placement."""

from fleet.queries.graph import (
    ancestors,
    component,
    fleet_version,
    job_cards,
    jobs,
    jobs_on,
    spare_nodes,
)
from fleet.queries.pages import (
    ComponentPage,
    JobPage,
    MapPage,
    component_page,
    job_page,
    map_page,
)
from fleet.queries.summaries import FleetSummary, SupernodeSummary, summary
from fleet.queries.versions import Drift, drift

__all__ = [
    "ComponentPage",
    "Drift",
    "FleetSummary",
    "JobPage",
    "MapPage",
    "SupernodeSummary",
    "ancestors",
    "component",
    "component_page",
    "drift",
    "fleet_version",
    "job_cards",
    "job_page",
    "jobs",
    "jobs_on",
    "map_page",
    "spare_nodes",
    "summary",
]
