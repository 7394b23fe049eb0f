"""The shipped procedures: complete in both languages, and sound."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from people.states import Domain
from sops.models import Content
from sops.states import Target
from tests.factories.sops import shipped

CODES = ["DRV", "NCR", "NHG", "NIN", "PSD", "TLF"]
HAN = re.compile(r"[\u4e00-\u9fff]")
ENDS_BY = {"TLF": 105, "PSD": 110, "NHG": 100, "NCR": 110, "NIN": 110, "DRV": 90}
PAGED = {
    "TLF": {"PLT", "DRV", "FRM", "JOB"},
    "PSD": {"FRM", "HW", "PLT"},
    "NHG": {"DRV", "HW", "PLT", "FRM"},
    "NCR": {"HW", "PLT", "FRM"},
    "NIN": {"NET", "FRM", "PLT"},
    "DRV": {"HW", "DRV", "PLT"},
}
WORDS_IN_CAPITALS = {
    "NVRM", "DPC", "ECC", "ROW_REMAPPER", "PERFORMANCE", "TEMPERATURE", "NCCL_DEBUG", "INFO",
    "HCCL_OP_RETRY_ENABLE", "AER", "H",
}  # fmt: skip


def texts_in(node: Any, path: str = "") -> Iterator[tuple[str, dict[str, str]]]:
    if isinstance(node, dict):
        if "en" in node or "zh" in node:
            yield path, node
        for key, inner in node.items():
            yield from texts_in(inner, f"{path}.{key}")
    elif isinstance(node, list):
        for place, inner in enumerate(node):
            yield from texts_in(inner, f"{path}[{place}]")


@pytest.fixture(params=CODES)
def content(request: pytest.FixtureRequest) -> Content:
    return Content.read(shipped()[request.param])


def test_the_six_classes_are_there_and_nothing_else() -> None:
    assert sorted(shipped()) == CODES


@pytest.mark.parametrize("code", CODES)
def test_every_text_is_there_in_english_and_in_chinese(code: str) -> None:
    found = list(texts_in(shipped()[code]))

    assert len(found) > 100
    for path, text in found:
        assert text.get("en", "").strip(), f"{code}{path} has no English"
        assert HAN.search(text.get("zh", "")) or text["zh"] == text["en"] == "SSH", (
            f"{code}{path} has no Chinese"
        )
        assert not HAN.search(text["en"]) or "提示" in text["en"], (
            f"{code}{path}: Chinese in English"
        )


@pytest.mark.parametrize("code", CODES)
def test_every_text_ends_alike_in_both_languages(code: str) -> None:
    for path, text in texts_in(shipped()[code]):
        assert text["en"].endswith(".") == text["zh"].endswith("。"), f"{code}{path}"


def test_there_are_thirteen_steps_in_order(content: Content) -> None:
    assert [step.number for step in content.steps] == list(range(1, 14))


def test_budgets_fit_into_the_procedure_and_the_procedure_into_two_hours(content: Content) -> None:
    assert content.ends_by == ENDS_BY[content.failure_class]
    assert content.ends_by + content.reserve == 120
    assert all(0 <= step.start < step.end <= content.ends_by for step in content.steps)
    assert content.steps[0].start == 0
    assert content.steps[-1].end == content.ends_by


def test_budgets_leave_no_hole(content: Content) -> None:
    reached = 0
    for step in sorted(content.steps, key=lambda s: (s.start, s.end)):
        assert step.start <= reached, f"nobody works from minute {reached} to {step.start}"
        reached = max(reached, step.end)


def test_every_branch_leads_somewhere(content: Content) -> None:
    targets = [d.to for step in content.steps for d in step.decisions if d.to]
    targets += [content.no_spare.to] if content.no_spare.to else []

    assert targets
    for target in targets:
        assert isinstance(target, Target)
        there = Content.read(shipped()[target.procedure]) if target.procedure else content
        if target.step:
            assert target.step in [step.number for step in there.steps]
        if target.tier:
            assert target.tier == 2


def test_no_step_branches_to_itself_and_no_procedure_to_itself(content: Content) -> None:
    for step in content.steps:
        for decision in step.decisions:
            assert str(decision.to) != str(step.number)
            assert not decision.to or decision.to.procedure != content.failure_class
            assert decision.to or decision.then


def test_every_procedure_has_its_no_spare_branch(content: Content) -> None:
    numbers = [step.number for step in content.steps]

    assert content.no_spare.do
    assert content.no_spare.at
    assert set(content.no_spare.at) <= set(numbers)


def test_groups_are_known_and_choices_are_made_at_a_step(content: Content) -> None:
    groups = {group.key: group for group in content.groups}

    assert {step.group for step in content.steps if step.group} == set(groups)
    for group in groups.values():
        assert group.kind in ("choice", "parallel")
        assert (group.at in [s.number for s in content.steps]) == (group.kind == "choice")
        members = {str(s.number) for s in content.steps if s.group == group.key}
        if group.kind == "choice":
            chooser = content.step(group.at or 0)
            assert members == {str(d.to) for d in chooser.decisions if str(d.to) in members}


def test_domains_are_those_of_the_matrix(content: Content) -> None:
    for step in content.steps:
        assert step.domains
        assert set(step.domains) <= set(Domain.values)
    assert PAGED[content.failure_class] <= set(content.step(2).domains)


def test_every_placeholder_in_a_command_is_explained(content: Content) -> None:
    known = {rule.key for rule in content.common.placeholders}
    for step in content.steps:
        for command in step.commands:
            used = set(re.findall(r"(?<![\w./-])[A-Z][A-Z_]*\b", command.run)) - WORDS_IN_CAPITALS
            assert used <= known, f"{content.failure_class} step {step.number}: {command.run}"


@pytest.mark.parametrize(
    ("code", "step", "command"),
    [
        ("TLF", 3, "kubectl get pods -n NS -o wide | grep -v Running"),
        ("TLF", 7, "hccn_tool -i N -tls -g"),
        ("PSD", 4, 'kubectl logs -n mindx-dl CLUSTERD | grep "got degradation, slow rank"'),
        ("NHG", 7, "kubectl taint node NODE incident=ID:NoSchedule"),
        ("NCR", 3, "ipmitool sdr type 'Power Supply'"),
        ("NIN", 9, "hccn_tool -i N -cfg recovery"),
        ("DRV", 8, "npu-smi set -t reset -i ID -c 0"),
    ],
)
def test_commands_are_the_same_in_every_language(code: str, step: int, command: str) -> None:
    content = Content.read(shipped()[code])

    assert command in [c.run for c in content.step(step).commands]


def test_proposals_and_sources_are_marked(content: Content) -> None:
    assert content.proposal
    assert content.sources
    for source in (*content.sources, *(s for step in content.steps for s in step.sources)):
        assert source.startswith("S-")


def test_the_common_rules_are_part_of_each(content: Content) -> None:
    assert [rule.key for rule in content.common.stop_conditions] == list("abcde")
    assert [rule.key for rule in content.common.minute_rules] == ["60", "90"]
    assert len(content.common.standing_steps) == 5
