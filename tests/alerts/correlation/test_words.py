from pathlib import Path

import pytest

from alerts.correlation import Words
from alerts.correlation.signs import CAUSE, SIGNS
from tests.alerts.correlation.streams import OWN, ROOT, SHIPPED, facts_of, groups_of, load

WORDS = Words((ROOT / "alerts" / "data" / "reasons.yaml").read_text("utf-8"))


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("path", [pytest.param(p, id=p.stem) for p in (*SHIPPED, *OWN)])
def test_all_that_a_verdict_says_is_a_sentence(path: Path, language: str) -> None:
    for verdict in groups_of(facts_of(load(path))):
        for suspect in verdict.suspects:
            said = [*suspect["evidence_for"], *suspect["evidence_against"], *verdict.explain]
            sentences = [WORDS.say(one, language) for one in said]
            assert all(one["code"] in WORDS for one in said), said
            assert not any("%(" in sentence for sentence in sentences)
        assert verdict.root["cause_code"] in WORDS


def test_every_cause_has_a_name_in_both_languages() -> None:
    missing = [name for name, sign in SIGNS.items() if sign.kind == CAUSE and name not in WORDS]

    assert missing == []


def test_an_unknown_code_shows_itself() -> None:
    assert WORDS.say({"code": "odd", "params": {"n": 3}}, "en") == "odd n 3"
