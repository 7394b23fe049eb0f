"""Symptoms that no cause explains: with their job's trouble, their storage, or on their own."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import timedelta
from itertools import pairwise

from alerts.correlation.sets import Joined
from alerts.correlation.symptoms import Cluster
from alerts.correlation.topology import Topology
from alerts.correlation.units import Unit
from alerts.correlation.verdicts import OpenGroup, Settings

# Weak families stay with whatever trouble their job already has.
_FOLLOWS = frozenset({"slow", "comm", "other", "retry", "nan", "stall", "exit", "wait", "launch"})


def rootless(
    clusters: list[Cluster],
    units: Sequence[Unit],
    topology: Topology,
    settings: Settings,
    held: dict[int, OpenGroup],
) -> list[Unit]:
    """Symptoms that no cause explains: with their job's trouble, their storage, or on their own."""
    stay = []
    for cluster in clusters:
        home = _job_home(cluster, units, settings)
        if home is None:
            stay.append(cluster)
        else:
            home.symptoms.extend(cluster.facts)
    joined = Joined(len(stay))

    def stays(cluster: Cluster) -> bool:
        return any(held[f.episode].incident_open for f in cluster.facts if f.episode in held)

    _join_by(stay, joined, _job_key, settings.window, stays)
    _join_by(stay, joined, lambda c: _storage_key(c, topology), settings.window, stays)
    _join_by(stay, joined, _monitoring_key, 2 * settings.burst, stays)
    out = []
    for members in joined.sets():
        facts = [f for i in members for f in stay[i].facts]
        out.append(Unit(facts=[], symptoms=sorted(facts, key=lambda f: (f.event_at, f.episode))))
    return out


def _job_home(cluster: Cluster, units: Sequence[Unit], settings: Settings) -> Unit | None:
    old = all(f.signal.sign == "ckpt_old" for f in cluster.facts)
    if not cluster.job or not (cluster.family in _FOLLOWS or old):
        return None
    found = []
    for unit in units:
        seen = [f.event_at for f in unit.symptoms if f.place.job_id == cluster.job]
        if not seen:
            continue
        stays = unit.held is not None and unit.held.incident_open
        if cluster.end >= min(seen) - settings.window and (
            stays or cluster.start <= max(seen) + settings.window
        ):
            found.append(unit)
    return min(found, key=lambda u: u.order) if found else None


def _job_key(cluster: Cluster) -> tuple[str, ...] | None:
    return (cluster.job,) if cluster.job else None


def _storage_key(cluster: Cluster, topology: Topology) -> tuple[str, ...] | None:
    if cluster.family != "ckpt":
        return None
    info = topology.jobs.get(cluster.job)
    return "storage", next(iter(sorted(cluster.regions)), info.region if info else "")


def _monitoring_key(cluster: Cluster) -> tuple[str, ...] | None:
    return ("monitoring",) if cluster.family == "exporter" else None


def _join_by(
    clusters: Sequence[Cluster],
    joined: Joined,
    key: Callable[[Cluster], tuple[str, ...] | None],
    gap: timedelta,
    stays: Callable[[Cluster], bool],
) -> None:
    """Joins clusters of one key that follow each other within `gap`, or follow one that stays."""
    found: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for i, cluster in enumerate(clusters):
        if (name := key(cluster)) is not None:
            found[name].append(i)
    for members in found.values():
        ordered = sorted(members, key=lambda i: (clusters[i].start, i))
        end, open_end = clusters[ordered[0]].end, stays(clusters[ordered[0]])
        for last, i in pairwise(ordered):
            if open_end or clusters[i].start - end <= gap:
                joined.join(last, i)
            end = max(end, clusters[i].end)
            open_end = open_end or stays(clusters[i])
