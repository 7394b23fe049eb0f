"""The demo fleet has the numbers that people say, and agrees with the alert streams we ship."""

import time

import pytest

from fleet import queries
from fleet.models import Component, FaultCode, Indicator, Job, Kind, ReferenceVersion
from fleet.operations import demo, reference
from tests.factories import NINE_OCLOCK

pytestmark = pytest.mark.django_db


@pytest.fixture
def fleet(db: None) -> float:
    began = time.process_time()
    demo.load(NINE_OCLOCK)
    return time.process_time() - began


def test_the_demo_fleet_is_what_its_paths_and_numbers_say(fleet: float) -> None:
    counts = {kind: Component.objects.of_kind(kind).count() for kind in Kind}

    assert fleet < 15, "seconds of our own work: about five on an idle machine"
    assert counts[Kind.SUPERNODE] == 32
    assert counts[Kind.NODE] == 1536
    assert counts[Kind.CARD] == 12_288
    assert counts[Kind.LINK] == 12_288
    assert counts[Kind.PLANE] == 2 * 4 + 32 * 8
    assert queries.summary().cards == 12_288

    # scenario a: rank 3334 is device 6 of sn05-n17
    card = queries.component("ulanqab/sn05/sn05-n17/3")
    assert card is not None
    assert card.devices == [6, 7]
    moe = Job.objects.get(job_id="pt-moe-700b-0318")
    assert (moe.cards, moe.nodes, moe.ranks) == (6144, 768, 12_288)
    first = moe.placements.get(component__path="ulanqab/sn05").first_rank
    assert first + 16 * 16 + 6 == 3334
    # scenario b: both ends of one link
    link = Component.objects.get(
        kind=Kind.LINK, attributes__contains={"ends": ["ulanqab/sn09/sn09-n31/6"]}
    )
    assert link.attributes["ends"][1] == "ulanqab/switch:leaf-roce-09-3"
    assert "400GE1/0/12" in link.attributes["ports"]
    # scenario c: the feeds of one supernode
    feeds = queries.component("ulanqab/facility:PDU-U-07A")
    assert feeds is not None
    assert feeds.attributes["feeds"] == ["ulanqab/sn14"]
    assert queries.component("ulanqab/rack:R14-12") is not None
    # scenario d: sixteen switches of one sub-plane
    switches = Component.objects.filter(
        kind=Kind.SWITCH, attributes__plane_path="ulanqab/sn12/plane:ub/3"
    )
    assert switches.count() == 16
    assert switches.filter(path="ulanqab/switch:ub-l2-12-3-16").exists()
    # scenario e: two drifted nodes, and their ranks
    assert {one.node for one in queries.drift()} == {"sn22-n05", "sn22-n06"}
    dense = Job.objects.get(job_id="pt-dense-135b-0311")
    assert dense.placements.get(component__path="shanghai/sn22").first_rank + 4 * 16 == 3904
    # scenario h: the metadata server is inside the file system
    jobs = queries.jobs_on(["ulanqab/service:pfs-ulq-01/mds-02"])
    assert [job.job_id for job in jobs] == ["pt-moe-700b-0318"]
    assert queries.component("line:ulanqab-shanghai-1") is not None
    assert queries.spare_nodes("shanghai") == 96
    assert Component.objects.filter(parent=None).count() == 3, "two regions and the line"

    demo.load(NINE_OCLOCK)
    assert Component.objects.of_kind(Kind.CARD).count() == 12_288


def test_the_reference_tables_load_twice_to_the_same_rows() -> None:
    first = reference.load(at=NINE_OCLOCK)
    second = reference.load(at=NINE_OCLOCK)

    assert [one.rows for one in first] == [6, 7, 220, 242]
    assert all(one.new_version for one in first)
    assert not any(one.new_version for one in second)
    assert ReferenceVersion.objects.count() == 4
    assert FaultCode.objects.get(code="80E01801").event_class_id == "E3"
    assert FaultCode.objects.exclude(handling_level="").count() == 210
    assert FaultCode.objects.exclude(frequency_rule="").count() == 43
    clearing = FaultCode.objects.filter(clears=True).values_list("code", flat=True)
    assert set(clearing) == {"8C2FA009", "100001011"}
    assert Indicator.objects.filter(name_kind="real").count() == 175


def test_a_threshold_of_our_own_is_marked_as_a_proposal() -> None:
    reference.load(at=NINE_OCLOCK)

    for indicator in Indicator.objects.filter(proposal=False):
        assert "proposal" not in indicator.threshold_basis
        assert indicator.name_kind != "proposed"
