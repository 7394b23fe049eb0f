"""Small stories: what is one cause, what are two, and what is none."""

import itertools
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from alerts.correlation import Fact, GroupVerdict, OpenGroup, Topology, correlate
from tests.alerts.correlation.fleets import demo_fleet
from tests.alerts.correlation.streams import reader
from tests.factories.instants import NINE_OCLOCK

FLEET = demo_fleet()
JOB = "pt-moe-700b-0318"


class Told:
    """Collects alerts of one story; seconds count from nine o'clock."""

    def __init__(self, fleet: Topology | None = None) -> None:
        self.fleet = fleet
        self.reader = reader(fleet)
        self.ids = itertools.count(1)
        self.facts: list[Fact] = []

    def __call__(
        self, name: str, seconds: float, severity: str = "critical", **labels: str
    ) -> Fact:
        at = NINE_OCLOCK + timedelta(seconds=seconds)
        summary = labels.pop("summary", "")
        fact = self.reader.read(
            episode=next(self.ids),
            name=name,
            severity=severity,
            state="firing",
            started_at=at,
            event_at=at,
            labels={"region": "ulanqab", **labels},
            annotations={"summary": summary} if summary else {},
            is_drill=labels.get("drill") == "true",
        )
        self.facts.append(fact)
        return fact

    def groups(self, open_groups: Sequence[OpenGroup] = ()) -> list[GroupVerdict]:
        found = correlate(self.facts, topology=self.fleet, open_groups=open_groups)
        return [v for v in found if v.notable]

    def one(self) -> GroupVerdict:
        (found,) = self.groups()
        return found


def as_open(verdict: GroupVerdict, pk: int = 1) -> OpenGroup:
    return OpenGroup(
        id=pk,
        episodes=frozenset(verdict.episodes),
        first_event_at=verdict.first_event_at,
        last_event_at=verdict.last_event_at,
        number=2000 + pk,
        incident_open=True,
    )


def test_instances_down_all_over_while_no_job_minds_is_the_monitoring() -> None:
    told = Told(FLEET)
    for n in range(1, 15):
        told("InstanceDown", n, instance=f"sn{n:02d}-n05:9100")
        told("InstanceDown", n, instance=f"sn{n + 16:02d}-n05:9100", region="shanghai")

    verdict = told.one()

    assert (verdict.failure_class, verdict.root["level"]) == (None, "monitoring")


def test_one_exporter_gone_is_nothing() -> None:
    told = Told(FLEET)
    told("NodeExporterDown", 0, "warning", node="sn01-n01")

    assert told.groups() == []


def test_exporters_of_a_lost_node_are_its_victims() -> None:
    told = Told(FLEET)
    told("HostDown", 0, node="sn01-n01")
    told("NodeExporterDown", 5, "warning", node="sn01-n01")

    verdict = told.one()

    assert (verdict.failure_class, verdict.root["path"]) == ("NCR", "ulanqab/sn01/sn01-n01")
    assert verdict.roles == {1: "cause", 2: "victim"}


def test_two_nodes_that_die_apart_are_two() -> None:
    told = Told(FLEET)
    told("HostDown", 0, node="sn01-n01")
    told("HostDown", 20, node="sn09-n30")

    assert [v.root["path"] for v in told.groups()] == [
        "ulanqab/sn01/sn01-n01",
        "ulanqab/sn09/sn09-n30",
    ]


def test_a_rack_that_loses_power_is_one_with_its_feed_as_root() -> None:
    told = Told(FLEET)
    for n in range(1, 5):
        told("ChassisPowerOff", n, node=f"sn02-n{n:02d}")
    told("RackFeedDown", -10, rack="R02-01", pdu="PDU-U-01")

    verdict = told.one()

    assert (verdict.failure_class, verdict.root["level"]) == ("NCR", "facility")
    assert verdict.root["path"] == "ulanqab/facility:PDU-U-01"
    assert verdict.affected["nodes"] == 4
    assert verdict.facts["power_or_cooling"]


def test_two_whole_supernodes_in_one_minute_are_one_region_event() -> None:
    told = Told(FLEET)
    for supernode, n in itertools.product(("sn03", "sn04"), range(1, 49)):
        told("KubeNodeNotReady", n / 4, node=f"{supernode}-n{n:02d}")

    verdict = told.one()

    assert (verdict.failure_class, verdict.root["level"]) == ("NCR", "region")
    assert verdict.affected == {"jobs": [JOB], "nodes": 96, "cards": 768, "supernodes": 2}


def test_a_scale_out_plane_that_fails_in_two_supernodes_is_one_plane() -> None:
    told = Told(FLEET)
    for supernode, n in itertools.product(("sn03", "sn04"), range(1, 31)):
        told("NpuRoceLinkDown", n / 2, node=f"{supernode}-n{n:02d}", npu="0", plane="roce")

    verdict = told.one()

    assert (verdict.root["level"], verdict.root["path"]) == ("plane", "ulanqab/plane:roce")


def test_a_few_links_of_a_supernode_stay_low() -> None:
    told = Told(FLEET)
    told("NpuRoceLinkDown", 0, node="sn03-n01", npu="0", plane="roce")
    told("NpuRoceLinkDown", 20, node="sn03-n40", npu="5", plane="roce")

    assert [v.root["level"] for v in told.groups()] == ["link", "link"]


def test_a_spare_node_that_dies_is_no_hard_error() -> None:
    told = Told(FLEET)
    told("HostDown", 0, node="sn32-n01", region="shanghai")

    verdict = told.one()

    assert verdict.failure_class == "NCR"
    assert not verdict.facts["hard_error"]
    assert not verdict.facts["job_symptom"]


def test_a_node_that_hung_and_was_reset_later_still_hung() -> None:
    told = Told(FLEET)
    told("KernelTaskHung", -60, "warning", node="sn18-n40", region="shanghai")
    told("NodeHeartbeatLost", 0, node="sn18-n40", region="shanghai")
    told("TrainingStepStalled", 30, job_id="pt-dense-135b-0311", region="shanghai")
    told("NodeRebooted", 660, node="sn18-n40", region="shanghai")

    verdict = told.one()

    assert (verdict.failure_class, verdict.root["path"]) == ("NHG", "shanghai/sn18/sn18-n40")


def test_hang_codes_of_waiters_do_not_hide_a_link() -> None:
    told = Told(FLEET)
    told("NpuRoceLinkDown", 0, node="sn05-n01", npu="1", job_id=JOB, fault_code="81078603")
    for n in range(2, 9):
        told("JobHangDetected", 300, node=f"sn05-n{n:02d}", job_id=JOB, fault_code="200001002")
    told("TrainingStepStalled", 60, job_id=JOB)

    verdict = told.one()

    assert (verdict.failure_class, verdict.root["level"]) == ("NIN", "link")
    assert verdict.facts["code_nodes_max"] == 1


def test_a_hot_card_under_a_slow_job_is_performance_not_hardware() -> None:
    told = Told(FLEET)
    told("TemperatureOverUpperLimit", 0, node="sn05-n01", npu="1", job_id=JOB)
    told("NpuAicoreFreqLow", 30, "warning", node="sn05-n01", npu="1", job_id=JOB)
    told("TrainingStepTimeDegraded", 60, job_id=JOB, summary="step time 1.4 x baseline")

    verdict = told.one()

    assert (verdict.failure_class, verdict.root["level"]) == ("PSD", "card")
    assert not verdict.facts["job_interrupted"]


def test_a_drill_beside_a_real_fault_is_a_group_of_its_own() -> None:
    told = Told(FLEET)
    told("HostDown", 0, node="sn01-n01")
    told("HostDown", 5, node="sn01-n01", drill="true")

    drill = {v.is_drill: v.episodes for v in told.groups()}

    assert drill == {False: (1,), True: (2,)}


def test_while_the_incident_is_open_late_alerts_of_its_component_join() -> None:
    told = Told(FLEET)
    told("NPUErrorCodeWarning", 0, node="sn05-n17", npu="3", job_id=JOB, fault_code="80E01801")
    first = as_open(told.one())
    told("NPUErrorCodeWarning", 7200, node="sn05-n17", npu="3", job_id=JOB, fault_code="80E18402")
    told("HcclNotifyWaitTimeout", 7300, "warning", node="sn06-n01", job_id=JOB, fault_code="EI0002")

    (verdict,) = told.groups([first])

    assert verdict.group_id == 1
    assert verdict.episodes == (1, 2, 3)


def test_another_cause_on_the_same_job_is_another_incident_even_then() -> None:
    told = Told(FLEET)
    told("NPUErrorCodeWarning", 0, node="sn05-n17", npu="3", job_id=JOB, fault_code="80E01801")
    first = as_open(told.one())
    told("ChassisPowerOff", 7200, node="sn09-n03")
    told("HostDown", 7201, node="sn09-n03")
    told("TrainingStepStalled", 7230, job_id=JOB)

    found = told.groups([first])

    assert [(v.group_id, v.root["path"]) for v in found] == [
        (1, "ulanqab/sn05/sn05-n17/3"),
        (None, "ulanqab/sn09/sn09-n03"),
    ]
    assert 4 in found[1].episodes


def test_a_symptom_that_came_first_gives_its_incident_to_the_cause() -> None:
    told = Told(FLEET)
    told("TrainingStepStalled", 0, job_id=JOB)
    first = as_open(told.one())
    told("NPUErrorCodeWarning", 8, node="sn05-n17", npu="3", job_id=JOB, fault_code="80E01801")

    (verdict,) = told.groups([first])

    assert (verdict.group_id, verdict.failure_class) == (1, "DRV")


def test_groups_that_turn_out_to_be_one_keep_the_earliest_incident() -> None:
    told = Told(FLEET)
    told("ChassisPowerOff", 0, node="sn02-n01")
    told("ChassisPowerOff", 5, node="sn02-n05")
    one, two = (as_open(v, n) for n, v in enumerate(told.groups(), 1))
    for n in range(6, 48):
        told("ChassisPowerOff", 6, node=f"sn02-n{n:02d}")

    (verdict,) = told.groups([two, one])

    assert (verdict.group_id, verdict.merged) == (1, (2,))
    assert verdict.root["level"] == "supernode"


def test_what_a_person_moved_stays_where_it_is() -> None:
    told = Told(FLEET)
    told("HostDown", 0, node="sn01-n01")
    told("NodeExporterDown", 5, "warning", node="sn01-n01")
    told("HostDown", 6, node="sn09-n30")
    mine, other = (as_open(v, n) for n, v in enumerate(told.groups(), 1))
    mine = replace(mine, episodes=frozenset({1}))
    other = replace(other, episodes=frozenset({2, 3}), pinned=frozenset({2}))

    found = told.groups([mine, other])

    assert [(v.group_id, v.episodes) for v in found] == [(1, (1,)), (2, (2, 3))]


def test_an_old_warning_is_pulled_in_only_where_it_explains() -> None:
    told = Told(FLEET)
    told("VersionDrift", -2400, "warning", node="sn22-n05", region="shanghai", actual="a")
    told("FanSpeedLow", -2400, "warning", node="sn22-n09", region="shanghai")
    told("NpuProcessExit", 0, node="sn22-n05", job_id="pt-dense-135b-0311", region="shanghai")
    told("JobLaunchFailed", 30, job_id="pt-dense-135b-0311", region="shanghai")

    verdict = told.one()

    assert (verdict.failure_class, verdict.root["path"]) == ("TLF", "shanghai/sn22/sn22-n05")
    assert verdict.episodes == (1, 3, 4)


def test_a_loss_that_is_not_a_number_says_wrong_result() -> None:
    told = Told(FLEET)
    told("NPUErrorCodeWarning", 0, node="sn05-n01", npu="1", job_id=JOB, fault_code="80818C05")
    told("LossIsNaN", 60, job_id=JOB)

    assert told.one().impact["type"] == "wrong_result"


def test_nothing_known_of_the_fleet_is_no_error() -> None:
    told = Told()
    told("SomethingOdd", 0, node="x")
    told("HostDown", 1, node="gpu-9")
    told("QuuxBroken", 2, layer="network")
    told("TrainingStepStalled", 3)

    assert {v.failure_class for v in told.groups()} >= {"NCR"}
