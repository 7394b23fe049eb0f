"""Severity words of many senders, in our four. Words that stand for a state are not here."""

from alerts.states import Severity

# PROPOSAL: this project's own table, from the public vocabularies of the senders it names.
WORDS = {
    Severity.CRITICAL: "critical crit fatal emergency emerg disaster page p0 p1 sev0 sev1 紧急 致命 严重",
    Severity.ERROR: "error err major high alert p2 sev2 重要 错误",
    Severity.WARNING: "warning warn minor average medium p3 sev3 次要 警告 一般",
    Severity.INFO: "info information informational notice low none debug p4 sev4 提示 信息",
}
SEVERITY_OF = {word: str(level) for level, words in WORDS.items() for word in words.split()}


def severity(word: str, *, default: str) -> tuple[str, tuple[str, ...]]:
    """The level of a sender's word, and a note where it was not known or not given."""
    known = SEVERITY_OF.get(word.strip().lower())
    if known:
        return known, ()
    return default, ("severity_unknown",) if word.strip() else ("severity_missing",)
