"""Names of hosts, cards and components, however a sender spells them."""

import pytest

from alerts.correlation import LabelMap
from alerts.correlation.codes import code_in, normalise
from alerts.correlation.labels import DEFAULT_MAP, card_of, host
from alerts.correlation.places import Locator
from tests.alerts.correlation.fleets import demo_fleet

FLEET = Locator(demo_fleet())
SUFFIXES = DEFAULT_MAP.suffixes


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("sn05-n17", "sn05-n17"),
        ("SN05-N17.dc1.example:9100", "sn05-n17"),
        ("gpu-0713-bmc.mgmt.example:443", "gpu-0713"),
        ("https://gpu-0713-bmc/redfish", "gpu-0713"),
        ("10.0.0.7:9100", "10.0.0.7"),
        ("10.0.0.7", "10.0.0.7"),
        ("[2001:db8::7]:9100", "2001:db8::7"),
        ("2001:db8::7", "2001:db8::7"),
        ("-bmc", "-bmc"),
        ("", ""),
    ],
)
def test_a_host_is_compared_without_case_domain_port_and_suffix(raw: str, name: str) -> None:
    assert host(raw, SUFFIXES) == name


@pytest.mark.parametrize(
    ("labels", "card"),
    [
        ({"npu": "3"}, "3"),
        ({"npu": "3", "device": "6"}, "3"),
        ({"device": "7"}, "3"),
        ({"gpu": "5"}, "5"),
        ({"device": "nvidia5"}, "5"),
        ({"gpu": "GPU-2f1c"}, ""),
        ({"device": "eth0"}, ""),
        ({"device": "mlx5_0"}, ""),
        ({"card": "card 04"}, "4"),
        ({}, ""),
    ],
)
def test_a_card_is_found_by_card_or_by_half_of_its_die(labels: dict[str, str], card: str) -> None:
    assert card_of(DEFAULT_MAP.read(labels), two_dies=True) == card


def test_a_source_may_count_devices_as_cards() -> None:
    assert card_of(DEFAULT_MAP.read({"device": "7"}), two_dies=False) == "7"


@pytest.mark.parametrize(
    ("labels", "scope", "path", "known"),
    [
        ({"node": "sn05-n17", "npu": "3"}, "card", "ulanqab/sn05/sn05-n17/3", True),
        ({"instance": "SN05-N17.x:9100"}, "node", "ulanqab/sn05/sn05-n17", True),
        ({"instance": "10.5.0.17:9100"}, "node", "ulanqab/sn05/sn05-n17", True),
        ({"node": "hb-1", "region": "dc1"}, "node", "dc1/hb-1", False),
        ({"node": "hb-1", "region": "dc1", "superpod": "p7"}, "node", "dc1/p7/hb-1", False),
        ({"node": "hb-1", "gpu": "2"}, "card", "hb-1/2", False),
        ({"fs": "pfs-ulq-01", "mds": "mds-02"}, "service", "ulanqab/service:pfs-ulq-01", True),
        ({"switch": "leaf-1", "region": "r"}, "switch", "r/switch:leaf-1", False),
        ({"pdu": "PDU-U-07A", "region": "r"}, "facility", "r/facility:PDU-U-07A", False),
        ({"line": "ulanqab-shanghai-1"}, "line", "line:ulanqab-shanghai-1", False),
        (
            {"supernode": "sn12", "plane": "ub", "sub_plane": "3"},
            "plane",
            "ulanqab/sn12/plane:ub/3",
            True,
        ),
        ({"job_id": "x", "instance": "exporter:9090"}, "job", "", False),
    ],
)
def test_labels_become_the_path_of_the_contract(
    labels: dict[str, str], scope: str, path: str, known: bool
) -> None:
    place = FLEET.locate(labels, scope=scope, plane="", label_map=DEFAULT_MAP)

    assert (place.path, place.known) == (path, known)


def test_a_source_puts_its_own_labels_first() -> None:
    own = LabelMap(keys={"node": ("server",)}, suffixes=("-x",))

    place = FLEET.locate(
        {"server": "SN01-N02-x", "node": "wrong"}, scope="node", plane="", label_map=own
    )

    assert place.path == "ulanqab/sn01/sn01-n02"


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("80e01801", "80E01801"),
        ("0x80E01801", "80E01801"),
        ("020001002", "020001002"),
        ("EI0006", "EI0006"),
        ("[0x08520003,NA,L2,na]", "[0x08520003,na,l2,na]"),
        ("ALM-0x1001001", "ALM-0x1001001"),
    ],
)
def test_one_code_has_one_spelling(written: str, code: str) -> None:
    assert normalise(written) == code


@pytest.mark.parametrize(
    ("name", "labels", "text", "code"),
    [
        ("X", {"fault_code": "80E01801,80E18402"}, "", "80E01801"),
        ("X", {"xid": "79"}, "", "XID79"),
        ("XID79", {}, "", "XID79"),
        ("DCGM_FI_DEV_XID_ERRORS", {"err_code": "79"}, "", "XID79"),
        ("X", {}, "NVRM: Xid (PCI:0000:3b:00): 79, fell off", "XID79"),
        ("X", {}, "Xid 48 on gpu 3", "XID48"),
        ("X", {}, "code 0x80E01801 on die 6", "80E01801"),
        ("X", {"xid": "0"}, "nothing", ""),
    ],
)
def test_a_code_is_found_where_senders_put_it(
    name: str, labels: dict[str, str], text: str, code: str
) -> None:
    assert code_in(name, labels, text) == code
