"""The brain: pure functions from alert episodes to groups. No ORM, no clock, no I/O.

Use, in order:

    rules = load_rules(text_of_rules_yaml)             # or compile_rules(rows of alerts.Rule)
    reader = Reader(topology=…, rules=rules, codes=CodeTable(rows of fleet's fault codes))
    fact = reader.read(episode=…, source=…, name=…, severity=…, state=…, started_at=…, event_at=…,
                       ended_at=…, labels=…, annotations=…, is_drill=…, fired=…, label_map=…)
    verdicts = correlate(facts, topology=…, open_groups=[…], settings=Settings())

`Fact` is frozen and may be kept in memory between batches: reading costs more than correlating.
Give `correlate` every episode of the open groups plus every episode of the last 75 minutes that is
in no group; it answers for all of them from the set alone. Verdicts that are not `.notable` need no
row. `fact.place.known` False asks for `register_unknown(path=fact.place.path, …)`.
"""

from alerts.correlation.classify import Reader
from alerts.correlation.codes import CodeTable, FaultCode
from alerts.correlation.engine import correlate
from alerts.correlation.facts import Fact, Place, Signal
from alerts.correlation.labels import LabelMap
from alerts.correlation.rules import Rule, Rules, compile_rules, load_rules
from alerts.correlation.topology import (
    Facility,
    Job,
    Link,
    Node,
    Service,
    Supernode,
    Switch,
    Topology,
    Window,
)
from alerts.correlation.verdicts import GroupVerdict, OpenGroup, Settings
from alerts.correlation.words import Words

__all__ = [
    "CodeTable",
    "Facility",
    "Fact",
    "FaultCode",
    "GroupVerdict",
    "Job",
    "LabelMap",
    "Link",
    "Node",
    "OpenGroup",
    "Place",
    "Reader",
    "Rule",
    "Rules",
    "Service",
    "Settings",
    "Signal",
    "Supernode",
    "Switch",
    "Topology",
    "Window",
    "Words",
    "compile_rules",
    "correlate",
    "load_rules",
]
