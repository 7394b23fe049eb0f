"""What holds for every set of alerts: hypothesis looks for the exception."""

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from alerts.correlation import Fact, GroupVerdict, OpenGroup, correlate
from tests.alerts.correlation.streams import reader
from tests.factories.instants import NINE_OCLOCK

READER = reader()
KINDS = [
    ("NPUErrorCodeWarning", "critical", {"npu": "3", "fault_code": "80E01801"}),
    ("NpuRoceLinkDown", "critical", {"npu": "6", "plane": "roce", "fault_code": "81078603"}),
    ("KubeNodeNotReady", "critical", {}),
    ("ChassisPowerOff", "critical", {}),
    ("KernelTaskHung", "warning", {}),
    ("NpuTemperatureHigh", "warning", {"npu": "2"}),
    ("VersionDrift", "warning", {"actual": "1", "expected": "2"}),
    ("HcclNotifyWaitTimeout", "warning", {"npu": "1", "fault_code": "EI0002"}),
    ("NpuProcessExit", "critical", {"npu": "0"}),
    ("NpuExporterDown", "warning", {}),
    ("MindIOPersistAbnormal", "critical", {"plane": "storage"}),
]
JOB_KINDS = ["TrainingStepStalled", "TrainingStepTimeDegraded", "JobLaunchFailed", "CkptSaveSlow"]


@st.composite
def facts(draw: st.DrawFn) -> list[Fact]:
    """Up to thirty alerts over two regions, two supernodes, six nodes and two jobs."""
    rows: list[Fact] = []
    for episode in range(1, draw(st.integers(1, 30)) + 1):
        region = draw(st.sampled_from(["ulanqab", "shanghai"]))
        job = draw(st.sampled_from(["job-a", "job-b"]))
        start = NINE_OCLOCK + timedelta(seconds=draw(st.integers(0, 5400)))
        if draw(st.integers(0, 4)) == 0:
            name = draw(st.sampled_from(JOB_KINDS))
            severity, labels = "critical", {"job_id": job, "region": region}
        else:
            name, severity, own = draw(st.sampled_from(KINDS))
            node = f"{region[0]}{draw(st.integers(1, 2))}-n{draw(st.integers(1, 6)):02d}"
            labels = {**own, "node": node, "supernode": node[:2], "region": region}
            if draw(st.booleans()):
                labels["job_id"] = job
        rows.append(
            READER.read(
                episode=episode,
                name=name,
                severity=severity,
                state="firing",
                started_at=start,
                event_at=start,
                labels=labels,
            )
        )
    return rows


def shape(found: Sequence[GroupVerdict]) -> list[object]:
    return [
        (v.episodes, v.failure_class, v.root["path"], v.root["level"], v.affected, v.facts, v.roles)
        for v in found
    ]


def kept(
    found: Sequence[GroupVerdict], *, number: bool = False, working: bool = False
) -> list[OpenGroup]:
    return [
        OpenGroup(
            id=n,
            episodes=frozenset(v.episodes),
            first_event_at=v.first_event_at,
            last_event_at=v.last_event_at,
            number=n if number and v.failure_class else None,
            incident_open=working and bool(v.failure_class),
        )
        for n, v in enumerate(found, 1)
        if v.notable
    ]


relaxed = settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)


@relaxed
@given(facts(), st.integers(0, 99))
def test_neither_order_nor_repetition_matters(rows: list[Fact], seed: int) -> None:
    mixed = [*rows, *rows[: len(rows) // 2]]
    random.Random(seed).shuffle(mixed)

    assert shape(correlate(mixed)) == shape(correlate(rows))


@relaxed
@given(facts())
def test_every_episode_is_in_exactly_one_group(rows: list[Fact]) -> None:
    found = correlate(rows)

    together = sorted(e for v in found for e in v.episodes)
    assert together == sorted(f.episode for f in rows)


@relaxed
@given(facts(), st.lists(st.integers(1, 30), max_size=3))
def test_batches_end_where_all_at_once_ends(rows: list[Fact], cuts: list[int]) -> None:
    """As long as nobody opened an incident on the half of it."""
    groups: list[OpenGroup] = []
    for cut in sorted(cuts):
        groups = kept(correlate(rows[:cut], open_groups=groups))

    found = correlate(rows, open_groups=groups)

    assert shape(found) == shape(correlate(rows))


@relaxed
@given(facts(), st.integers(1, 29))
def test_an_episode_of_an_incident_never_leaves_it(rows: list[Fact], cut: int) -> None:
    groups = kept(correlate(rows[:cut]), number=True, working=True)

    found = correlate(rows, open_groups=groups)

    for group in groups:
        if group.number is None:
            continue
        homes = [v for v in found if group.episodes & set(v.episodes)]
        assert len(homes) == 1
        assert group.episodes <= set(homes[0].episodes)
        assert group.id in (homes[0].group_id, *homes[0].merged)


@relaxed
@given(facts())
def test_what_is_told_again_joins_the_same_group(rows: list[Fact]) -> None:
    found = correlate(rows)
    groups = kept(found, number=True)

    again = correlate(rows, open_groups=groups)

    assert {v.group_id for v in again if v.notable and v.failure_class} == {
        g.id for g in groups if g.number
    }
    assert not any(v.merged for v in again)


@relaxed
@given(facts())
def test_a_resolve_of_something_unknown_makes_nothing(rows: list[Fact]) -> None:
    unseen = [replace(f, fired=False, state="resolved", episode=f.episode + 100) for f in rows]

    assert correlate(unseen) == []
    assert shape(correlate([*rows, *unseen])) == shape(correlate(rows))


@relaxed
@given(facts())
def test_an_unrelated_alert_changes_nothing_else(rows: list[Fact]) -> None:
    other = READER.read(
        episode=999,
        name="FanRedundancyLost",
        severity="warning",
        state="firing",
        started_at=NINE_OCLOCK,
        event_at=NINE_OCLOCK,
        labels={"node": "elsewhere-07", "region": "guizhou"},
    )

    found = correlate([*rows, other])

    assert shape([v for v in found if 999 not in v.episodes]) == shape(correlate(rows))


@relaxed
@given(facts(), facts())
def test_drill_and_real_never_share_a_group(rows: list[Fact], played: list[Fact]) -> None:
    drill = [replace(f, is_drill=True, episode=f.episode + 100) for f in played]

    found = correlate([*rows, *drill])

    assert shape([v for v in found if not v.is_drill]) == shape(correlate(rows))
    assert all(v.is_drill == (min(v.episodes) > 100) for v in found)


@relaxed
@given(facts(), facts())
def test_independent_causes_interleaved_keep_their_groups(
    rows: list[Fact], others: list[Fact]
) -> None:
    """Another site: other region, other nodes, other jobs."""
    away = [
        replace(
            f,
            episode=f.episode + 100,
            place=f.place._replace(
                region="guizhou",
                supernode=f"x{f.place.supernode}" if f.place.supernode else "",
                node=f"x{f.place.node}" if f.place.node else "",
                job_id=f"x{f.place.job_id}" if f.place.job_id else "",
                path=f"guizhou/x{f.place.node}" if f.place.node else "",
            ),
        )
        for f in others
        if f.signal.sign != "exporter_down"
    ]

    found = correlate([*rows, *away])

    assert shape([v for v in found if min(v.episodes) <= 100]) == shape(correlate(rows))
    assert shape([v for v in found if min(v.episodes) > 100]) == shape(correlate(away))
