"""Every stream, shipped and own, comes out as its file says: in any order, twice, post by post."""

import json
from pathlib import Path
from typing import Any

import pytest

from alerts.correlation import GroupVerdict, Node, Supernode, Topology
from tests.alerts.correlation.streams import (
    OWN,
    SHIPPED,
    domains_of,
    facts_of,
    groups_of,
    load,
    post_by_post,
    tier_of,
)

EVERY = [pytest.param(path, id=path.stem) for path in (*SHIPPED, *OWN)]
SMALL = [pytest.param(path, id=path.stem) for path in (*SHIPPED, *OWN) if path.stem[0] != "d"]
PODS = Topology.build(
    supernodes=[Supernode("pod7", "shanghai/pod7", "shanghai", nodes=16)],
    nodes=[
        Node(f"hb7-{n:02d}", f"shanghai/pod7/hb7-{n:02d}", "shanghai", "pod7") for n in range(1, 17)
    ],
)


def topology_for(path: Path) -> Topology | None:
    return PODS if path.stem == "small_supernode" else None


def fits(verdict: GroupVerdict, want: dict[str, Any]) -> bool:
    root, scoring = verdict.root, want.get("scoring", {})
    level = want["suspected_root"]["level"]
    text = json.dumps([root["path"], root["paths"], root["ports"], root["cause"]])
    names = scoring.get("root_names") or [[_last_name(want["suspected_root"])]]
    return (
        verdict.failure_class == want["failure_class"]
        and root["level"] == level
        and any(all(name in text for name in several) for several in names)
    )


def _last_name(root: dict[str, Any]) -> str:
    keys = ("service", "sub_plane", "npu", "node", "supernode")
    given = next((root[key] for key in keys if key in root), "")
    return str(root["nodes"][0] if "nodes" in root else given)


def check(found: list[GroupVerdict], wants: tuple[dict[str, Any], ...], *, assured: bool) -> None:
    assert len(found) == len(wants), [(v.failure_class, v.root["path"]) for v in found]
    for want in wants:
        verdict = next((v for v in found if fits(v, want)), None)
        assert verdict is not None, [(v.failure_class, v.root) for v in found]
        affected = {k: v for k, v in want["affected"].items() if k != "job_interrupted"}
        assert {k: verdict.affected[k] for k in affected} == affected
        assert verdict.subtype == (want.get("subtype") or verdict.subtype)
        assert verdict.event_class == want.get("npu_event_class", verdict.event_class)
        tier = tier_of(verdict, assured=assured)
        assert tier == (2 if want["war_room_tier"] == "二级" else 3)
        wanted = set(want["domains_to_call"]) - {"SRE"}
        assert domains_of(verdict, tier) == wanted
        if "job_interrupted" in want["affected"]:
            assert verdict.facts["job_interrupted"] is want["affected"]["job_interrupted"]


@pytest.mark.parametrize("path", EVERY)
def test_a_stream_is_what_its_file_says(path: Path) -> None:
    stream = load(path)

    found = groups_of(facts_of(stream, topology_for(path)), topology_for(path))

    check(found, stream.wants, assured=path.stem[0] == "d")


@pytest.mark.parametrize("path", EVERY)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_arrival_out_of_order_by_thirty_seconds_changes_nothing(path: Path, seed: int) -> None:
    stream = load(path).shuffled(30, seed)

    found = groups_of(facts_of(stream, topology_for(path)), topology_for(path))

    check(found, stream.wants, assured=path.stem[0] == "d")


@pytest.mark.parametrize("path", SMALL)
@pytest.mark.parametrize("seed", [0, 5])
def test_post_by_post_ends_where_all_at_once_ends(path: Path, seed: int) -> None:
    stream = load(path)
    stream = stream.shuffled(30, seed) if seed else stream

    found = post_by_post(stream.twice(), topology_for(path))

    check(found, stream.wants, assured=path.stem[0] == "d")


def test_a_storm_of_two_thousand_comes_out_right_post_by_post() -> None:
    stream = load(next(path for path in SHIPPED if path.stem[0] == "d"))

    check(post_by_post(stream), stream.wants, assured=True)


@pytest.mark.parametrize(("one", "two"), [("a", "f"), ("c", "h"), ("b", "g"), ("d", "e")])
def test_two_streams_at_once_are_two_groups(one: str, two: str) -> None:
    first, second = (load(next(p for p in SHIPPED if p.stem[0] == letter)) for letter in (one, two))
    both = first.beside(second)

    found = groups_of(facts_of(both))

    assert len(found) == 2
    for want in both.wants:
        assert any(fits(verdict, want) for verdict in found), want["failure_class"]


@pytest.mark.parametrize(("one", "two"), [("a", "f"), ("c", "h")])
@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_two_streams_at_once_are_two_groups_post_by_post(one: str, two: str, seed: int) -> None:
    first, second = (load(next(p for p in SHIPPED if p.stem[0] == letter)) for letter in (one, two))
    both = first.beside(second)
    both = both.shuffled(30, seed) if seed else both

    found = post_by_post(both)

    assert len(found) == 2
    for want in both.wants:
        assert any(fits(verdict, want) for verdict in found), want["failure_class"]


@pytest.mark.parametrize("path", EVERY)
def test_unrelated_alerts_stay_outside(path: Path) -> None:
    stream = load(path)
    facts = facts_of(stream, topology_for(path))
    regions = {fact.episode: fact.place.region for fact in facts}

    found = groups_of(facts, topology_for(path))

    for verdict, want in zip(found, stream.wants, strict=False):
        if want["failure_class"] and "unrelated_alerts" in want:
            assert {regions[e] for e in verdict.episodes} <= {verdict.region, ""}
