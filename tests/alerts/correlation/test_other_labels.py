"""The shipped streams with labels missing, spelled otherwise or disturbed say the same."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from alerts.correlation import Topology
from tests.alerts.correlation.fleets import demo_fleet
from tests.alerts.correlation.streams import OWN, SHIPPED, Post, Stream, facts_of, groups_of, load
from tests.alerts.correlation.test_streams import check

Labels = dict[str, str]


def without(*keys: str) -> Callable[[Labels], Labels]:
    return lambda labels: {k: v for k, v in labels.items() if k not in keys}


def as_instance(labels: Labels) -> Labels:
    if "node" in labels:
        labels["instance"] = labels.pop("node").upper() + ".dc.example:9100"
    return labels


def as_gpu(labels: Labels) -> Labels:
    if "npu" in labels:
        labels["gpu"] = labels.pop("npu")
    return labels


def job_only_on_symptoms(labels: Labels) -> Labels:
    if not labels.get("layer", "").startswith("framework"):
        labels.pop("job_id", None)
    return labels


def scraped(labels: Labels) -> Labels:
    """What a Prometheus adds of its own."""
    return {**labels, "job": "node-exporter", "instance": "10.250.0.7:9100", "service": "exporter"}


CHANGES: dict[str, Callable[[Labels], Labels]] = {
    "no layer": without("layer"),
    "no npu": without("npu"),
    "no device": without("device"),
    "no supernode": without("supernode"),
    "no region": without("region"),
    "no plane": without("plane"),
    "no code": without("fault_code"),
    "only names and nodes": without("region", "supernode", "layer", "device", "plane"),
    "node as instance": as_instance,
    "gpu for npu": as_gpu,
    "job only on symptoms": job_only_on_symptoms,
    "labels of the scraper": scraped,
}


def changed(stream: Stream, change: Callable[[Labels], Labels]) -> Stream:
    posts = tuple(
        Post(p.offset, tuple(dict(a, labels=change(dict(a["labels"]))) for a in p.alerts))
        for p in stream.posts
    )
    return replace(stream, posts=posts)


SMALL = [pytest.param(p, id=p.stem) for p in SHIPPED if p.stem[0] != "d"]
STORM = [pytest.param(p, id=p.stem) for p in SHIPPED if p.stem[0] == "d"]
FLEETS = [pytest.param(None, id="labels alone"), pytest.param(demo_fleet(), id="demo fleet")]


@pytest.mark.parametrize("fleet", FLEETS)
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("path", SMALL)
def test_the_answer_does_not_hang_on_one_label(
    path: Path, change: str, fleet: Topology | None
) -> None:
    stream = changed(load(path), CHANGES[change])

    found = groups_of(facts_of(stream, fleet), fleet)

    check(found, stream.wants, assured=path.stem[0] == "d")


@pytest.mark.parametrize("change", ["no supernode", "node as instance", "labels of the scraper"])
@pytest.mark.parametrize("path", STORM)
def test_a_storm_does_not_hang_on_one_label(path: Path, change: str) -> None:
    stream = changed(load(path), CHANGES[change])

    check(groups_of(facts_of(stream)), stream.wants, assured=True)


ALL = [pytest.param(p, id=p.stem) for p in (*SHIPPED, *OWN) if p.stem != "small_supernode"]


@pytest.mark.parametrize("path", ALL)
def test_with_the_demo_fleet_the_streams_are_what_their_files_say(path: Path) -> None:
    fleet, stream = demo_fleet(), load(path)

    found = groups_of(facts_of(stream, fleet), fleet)

    check(found, stream.wants, assured=path.stem[0] == "d")
