"""Stored alert streams: bodies with their seconds, in full or as a compact template."""

import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from alerts.adapters.base import MalformedPayload

FOLDER = Path(__file__).resolve().parents[1] / "data" / "streams"
ZERO = "0001-01-01T00:00:00Z"
FNV_OFFSET, FNV_PRIME, FNV_MASK = 14695981039346656037, 1099511628211, (1 << 64) - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    offset_s: float
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    start: datetime
    posts: Sequence[Post]

    @property
    def length_s(self) -> float:
        return max((post.offset_s for post in self.posts), default=0.0)


def find(name: str) -> Path:
    """A path as it stands, or a shipped stream by the beginning of its name."""
    given = Path(name)
    if given.is_file():
        return given
    shipped = sorted(FOLDER.glob(f"{name}*.json"))
    if not shipped:
        raise FileNotFoundError(name)
    return shipped[0]


def load(path: Path) -> Stream:
    """:raises MalformedPayload: if the file is not a stream."""
    try:
        raw = json.loads(path.read_text("utf-8"))
        start = datetime.fromisoformat(raw["start"])
        posts = [_post(one) for one in raw["posts"]]
    except (KeyError, TypeError, ValueError) as problem:
        raise MalformedPayload(f"{path.name} is not a stream: {problem!r}") from problem
    return Stream(start=start, posts=sorted(posts, key=lambda post: post.offset_s))


def moved(body: Mapping[str, Any], by: timedelta) -> dict[str, Any]:
    """The body with all instants of its alerts moved; zero stays zero."""
    return {
        **body,
        "alerts": [
            {**alert, **{name: _move(alert.get(name), by) for name in ("startsAt", "endsAt")}}
            for alert in body["alerts"]
        ],
    }


def shift(stream: Stream, *, now: datetime, speed: float) -> timedelta:
    """By how much to move, so that the last post is sent at its own instant."""
    length = timedelta(seconds=stream.length_s)
    return now + length / speed - length - stream.start


def _move(value: object, by: timedelta) -> object:
    if not isinstance(value, str) or value.startswith("0001-"):
        return value
    return (datetime.fromisoformat(value) + by).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _post(raw: Mapping[str, Any]) -> Post:
    body = raw["body"] if "body" in raw else _generated(raw["generate"])
    return Post(offset_s=float(raw["offset_s"]), body=body)


def _generated(template: Mapping[str, Any]) -> dict[str, Any]:
    """One alert for each combination of the template's axes."""
    names = list(template["for"])
    axes = [list(_axis(template["for"][name])) for name in names]
    alerts = [
        _alert(template, dict(zip(names, values, strict=True)))
        for values in itertools.product(*axes)
    ]
    group = template["groupLabels"]
    shown = ", ".join(f'{key}="{group[key]}"' for key in sorted(group))
    return {
        "version": "4",
        "groupKey": f"{{}}:{{{shown}}}",
        "truncatedAlerts": template.get("truncatedAlerts", 0),
        "status": template.get("status", "firing"),
        "receiver": "warroom",
        "groupLabels": group,
        "commonLabels": _common(alerts, "labels"),
        "commonAnnotations": _common(alerts, "annotations"),
        "externalURL": "http://alertmanager.example:9093",
        "alerts": alerts,
    }


def _axis(axis: Any) -> Iterator[str]:
    if isinstance(axis, Mapping):
        first, last = axis["range"]
        yield from (axis.get("fmt", "%d") % number for number in range(first, last + 1))
    else:
        yield from (str(value) for value in axis)


def _alert(template: Mapping[str, Any], values: Mapping[str, str]) -> dict[str, Any]:
    labels = {key: text.format(**values) for key, text in template["labels"].items()}
    annotations = template.get("annotations", {})
    return {
        "status": template.get("status", "firing"),
        "labels": labels,
        "annotations": {key: text.format(**values) for key, text in annotations.items()},
        "startsAt": template["startsAt"],
        "endsAt": template.get("endsAt") or ZERO,
        "generatorURL": "http://prometheus.example:9090/graph",
        "fingerprint": fingerprint(labels),
    }


def fingerprint(labels: Mapping[str, str]) -> str:
    """FNV-1a over the sorted pairs, each part ended by 0xFF: what Prometheus computes."""
    value = FNV_OFFSET
    for key in sorted(labels):
        for byte in key.encode() + b"\xff" + labels[key].encode() + b"\xff":
            value = ((value ^ byte) * FNV_PRIME) & FNV_MASK
    return f"{value:016x}"


def _common(alerts: Sequence[Mapping[str, Any]], part: str) -> dict[str, str]:
    first = alerts[0][part] if alerts else {}
    return {k: v for k, v in first.items() if all(a[part].get(k) == v for a in alerts)}
