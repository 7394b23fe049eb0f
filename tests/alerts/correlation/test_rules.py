"""What shipped rules make of names nobody wrote them for."""

import pytest

from alerts.correlation import Rule, compile_rules, load_rules
from alerts.correlation.rules import BadRule
from tests.alerts.correlation.streams import reader

READER = reader()

NAMES = [
    # accelerators
    ("GpuXidCritical", "critical", {"gpu": "5", "xid": "79", "node": "g1"}, "card_lost"),
    ("XID79", "critical", {"resource": "gpu-0713"}, "card_lost"),
    ("GPU has fallen off the bus", "critical", {"node": "g1", "gpu": "1"}, "card_lost"),
    ("DCGM_FI_DEV_ECC_DBE_VOL_TOTAL", "critical", {"gpu": "2", "Hostname": "g1"}, "card_memory"),
    ("DCGM_FI_DEV_ROW_REMAP_FAILURE", "critical", {"gpu": "2", "Hostname": "g1"}, "card_memory"),
    ("UncorrectableEccErrorWarning", "error", {"node": "n1", "npu": "1"}, "card_memory"),
    ("GpuEccUncorrectableErrors", "critical", {"node": "n1", "gpu": "1"}, "card_memory"),
    ("GpuSingleBitEccErrorsHigh", "warning", {"node": "n1", "gpu": "1"}, "card_warning"),
    ("NPUErrorCodeWarning", "critical", {"fault_code": "80E01801"}, "card_memory"),
    ("NPUErrorCodeWarning", "critical", {"fault_code": "0x80e01801"}, "card_memory"),
    ("NPUErrorCodeWarning", "critical", {"fault_code": "8C204E00"}, "driver_fault"),
    ("NPUErrorCodeWarning", "critical", {"fault_code": "80B98000"}, "card_bus"),
    ("NPUErrorCodeWarning", "critical", {"fault_code": "81078603"}, "link_down"),
    ("NPUErrorCodeWarning", "critical", {"fault_code": "80E3A201"}, "card_power"),
    ("NPUErrorCodeWarning", "critical", {"fault_code": "80818C05"}, "silent_error"),
    ("NPUErrorCodeWarning", "critical", {"npu": "1"}, "card_fault"),
    ("NPUSMICardNotFound", "error", {"node": "n1"}, "card_lost"),
    ("LspciCardNotFound", "error", {"node": "n1"}, "card_lost"),
    ("PCIeErrorFound", "error", {"node": "n1"}, "card_bus"),
    ("NpuToolsWarning", "error", {"node": "n1"}, "driver_fault"),
    ("TemperatureOverUpperLimit", "error", {"node": "n1", "npu": "0"}, "card_heat"),
    ("GpuThermalThrottling", "warning", {"gpu": "1", "node": "g1"}, "card_throttle"),
    ("DCGM_FI_DEV_THERMAL_VIOLATION", "warning", {"gpu": "1"}, "card_throttle"),
    ("GpuMemoryTempHigh", "warning", {"gpu": "1"}, "card_heat"),
    ("NvidiaGspTimeout", "critical", {"gpu": "1", "xid": "119"}, "driver_fault"),
    ("GpuDriverUnresponsive", "critical", {"node": "g1"}, "node_hang"),
    ("掉卡", "critical", {"node": "g1"}, "card_lost"),
    # nodes
    ("KubeNodeNotReady", "critical", {"node": "n1"}, "node_silent"),
    ("NodeHeartbeatLost", "critical", {"node": "n1"}, "node_silent"),
    ("KubeletDown", "critical", {"node": "n1"}, "node_silent"),
    ("HostDown", "critical", {"instance": "n1:9100"}, "node_down"),
    ("InstanceDown", "critical", {"instance": "n1:9100"}, "node_down"),
    ("NodeUnexpectedReboot", "critical", {"node": "n1"}, "node_reboot"),
    ("KernelDeadlock", "critical", {"node": "n1"}, "node_hang"),
    ("TaskHung", "warning", {"node": "n1"}, "node_hang"),
    ("SoftLockup", "critical", {"node": "n1"}, "node_hang"),
    ("节点宕机", "critical", {"node": "n1"}, "node_down"),
    ("节点失联", "critical", {"node": "n1"}, "node_silent"),
    ("ipmi_chassis_power_state off", "critical", {"chassis_power": "off"}, "node_power_off"),
    ("PsuFailed", "critical", {"node": "n1"}, "node_psu"),
    ("MachineCheckException", "critical", {"node": "n1"}, "node_fatal"),
    ("BmcUnreachable", "warning", {"node": "n1"}, "bmc_lost"),
    ("EdacUncorrectableErrors", "critical", {"node": "n1"}, "node_part"),
    ("NvmeSmartFailure", "critical", {"node": "n1"}, "node_part"),
    # facility
    ("UpsOnBattery", "critical", {"ups": "U1"}, "power"),
    ("PDUOutputLost", "critical", {"pdu": "P1"}, "power"),
    ("市电中断", "critical", {}, "power"),
    ("CduPumpFailed", "critical", {"cdu": "C1"}, "cooling"),
    ("冷却液泄漏", "critical", {}, "cooling"),
    # network
    ("NodeInfinibandLinkDown", "critical", {"node": "g1"}, "link_down"),
    ("node_infiniband_link_downed_total", "warning", {"node": "g1"}, "link_down"),
    ("ifOperStatus", "critical", {"switch": "l1", "port": "e1"}, "link_down"),
    ("NvlinkDown", "critical", {"gpu": "1", "xid": "74"}, "link_down"),
    ("LeafSwitchUnreachable", "critical", {"switch": "leaf-1"}, "switch_down"),
    ("SwitchReboot", "critical", {"switch": "leaf-1"}, "switch_down"),
    ("IB 链路抖动", "critical", {"ident": "gpu-0713", "port": "mlx5_2"}, "link_flap"),
    ("交换机 leaf-12 端口 swp7 CRC 错误率高", "error", {"host_name": "leaf-12"}, "link_degraded"),
    ("OpticalRxPowerLow", "warning", {"node": "n1"}, "optics"),
    ("PfcStormDetected", "warning", {"switch": "l1"}, "link_degraded"),
    ("DedicatedLineDown", "critical", {"line": "x"}, "line_down"),
    ("专线中断", "critical", {"line": "x"}, "line_down"),
    ("CrossRegionProbeFailed", "critical", {"target_region": "s"}, "line_down"),
    ("HyperplaneDown", "critical", {"supernode": "sn1"}, "plane_fault"),
    # waits
    ("NcclWatchdogTimeout", "critical", {"node": "g1", "gpu": "1"}, "waits_for_peer"),
    ("NCCL init timeout", "critical", {"node": "g1"}, "waits_at_launch"),
    ("HcclNotifyWaitTimeout", "warning", {"node": "n1"}, "waits_for_peer"),
    ("JobHangDetected", "critical", {"fault_code": "200001002"}, "hang_seen"),
    # storage
    (
        "NfsClientNotResponding",
        "critical",
        {"instance": "g1:9100", "job_id": "j"},
        "storage_client",
    ),
    ("LustreClientEvicted", "critical", {"node": "g1"}, "storage_client"),
    ("LustreMdtLatencyHigh", "critical", {"fs": "lfs1"}, "storage_fault"),
    ("CephOsdDown", "critical", {"osd": "osd.7"}, "storage_fault"),
    ("ObsBucket5xxHigh", "critical", {"bucket": "ckpt"}, "storage_fault"),
    ("CheckpointSaveFailed", "critical", {"job_id": "j"}, "ckpt_failed"),
    ("CkptSaveSlow", "warning", {"job_id": "j"}, "ckpt_slow"),
    ("NoUsableCheckpoint", "critical", {"job_id": "j"}, "no_checkpoint"),
    # platform and job
    ("KubeAPIServerDown", "critical", {}, "control_down"),
    ("EtcdNoLeader", "critical", {}, "control_down"),
    ("VolcanoSchedulerDown", "critical", {}, "control_down"),
    ("ImagePullBackOff", "warning", {"pod": "p"}, "image_pull"),
    ("DriverVersionMismatch", "warning", {"node": "n1"}, "version_drift"),
    ("JobLaunchFailed", "critical", {"job_id": "j"}, "launch_failed"),
    ("训练拉起失败", "critical", {"job_id": "j"}, "launch_failed"),
    ("TrainingStepStalled", "critical", {"job_id": "j"}, "job_stalled"),
    ("PyTorchJobFailed", "critical", {"job_id": "j"}, "job_failed"),
    ("StepTimeDegraded", "critical", {"job_id": "j"}, "job_slow"),
    ("训练步时间异常", "warning", {"job_id": "j"}, "job_slow"),
    ("MfuLow", "warning", {"job_id": "j"}, "job_slow"),
    ("LossIsNaN", "critical", {"job_id": "j"}, "loss_nan"),
    ("DataLoaderSlow", "warning", {"job_id": "j"}, "data_slow"),
    ("StragglerDetected", "warning", {"node": "n1"}, "slow_node"),
    # monitoring and noise
    ("DcgmExporterDown", "warning", {"node": "g1"}, "exporter_down"),
    ("TargetDown", "warning", {"instance": "g1:9400"}, "exporter_down"),
    ("PrometheusRemoteWriteBehind", "critical", {}, "monitoring_fault"),
    ("AlertmanagerClusterDown", "critical", {}, "monitoring_fault"),
    ("DatasourceNoData", "critical", {"rulename": "x"}, "source_lost"),
    ("DatasourceError", "critical", {"rulename": "x"}, "source_lost"),
    ("TestAlert", "critical", {}, "test"),
    ("Watchdog", "none", {}, "test"),
    ("SomethingOdd", "critical", {}, "unknown"),
    # names nobody has seen, by layer
    ("QuuxBroken", "critical", {"layer": "hardware-npu", "node": "n1", "npu": "1"}, "card_fault"),
    ("QuuxBroken", "critical", {"layer": "network", "switch": "s1"}, "switch_down"),
    ("QuuxBroken", "critical", {"layer": "hardware-storage"}, "storage_fault"),
    ("QuuxBroken", "critical", {"layer": "framework-job", "job_id": "j"}, "job_other"),
]


@pytest.mark.parametrize(("name", "severity", "labels", "sign"), NAMES)
def test_a_name_means_what_an_engineer_would_say(
    name: str, severity: str, labels: dict[str, str], sign: str
) -> None:
    signal, _ = READER.meaning(name, severity, labels, {"summary": name})

    assert signal.sign == sign


def test_a_code_in_the_text_is_found_when_no_label_has_it() -> None:
    signal, _ = READER.meaning(
        "NPUErrorCodeWarning", "critical", {"node": "n1"}, {"alarmDesc": "errorcode 80E18402"}
    )

    assert (signal.fault_code, signal.event_class) == ("80E18402", "E3")


def test_the_first_match_wins_and_disabled_rules_do_not_count() -> None:
    rules = compile_rules(
        [
            Rule(name="off", when={"name": "x"}, sign="test", enabled=False),
            Rule(name="first", when={"name": "x"}, sign="job_slow"),
            Rule(name="second", when={"name": "xy"}, sign="job_failed"),
        ]
    )
    seen = READER.seen("xy", "critical", {}, {})

    first = rules.first(seen)

    assert first is not None
    assert first.name == "first"
    assert [rule.name for rule in rules.matches(seen)] == ["first", "second"]


@pytest.mark.parametrize(
    "text",
    [
        "- {name: a, when: {name: '('}, then: {sign: test}}",
        "- {name: a, when: {name: 'x'}, then: {sign: nonsense}}",
        "- {name: a, when: {}, then: {sign: test}}",
        "- {name: a, when: {colour: red}, then: {sign: test}}",
        "- {name: a, when: {name: x}, then: {}}",
    ],
)
def test_a_rule_that_cannot_be_evaluated_is_refused_with_its_name(text: str) -> None:
    with pytest.raises(BadRule, match="a: "):
        load_rules(text)
