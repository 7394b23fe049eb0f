"""Post a stored stream to the real hook, at its own pace or faster."""

import http.client
import json
import time
from collections.abc import Callable
from datetime import datetime
from urllib.parse import quote, urlsplit

from django.conf import settings
from django.core.management.base import CommandError

from alerts.adapters.streams import Stream, moved, shift
from alerts.models import Source
from alerts.operations import sources
from alerts.states import SourceKind

TIMEOUT_S = 60


def key_for(name: str, *, at: datetime) -> str:
    """A fresh key of the source called `name`, which is made when there is none."""
    source = Source.objects.filter(name=name).first()
    if source is None:
        return sources.create(kind=SourceKind.ALERTMANAGER, name=name, by=None, at=at)[1]
    return sources.new_key(source_id=source.pk, by=None, at=at)[1]


def play(
    stream: Stream,
    *,
    base: str,
    key: str,
    speed: float,
    now: datetime,
    say: Callable[[str], object],
) -> tuple[int, int]:
    """
    How many posts and alerts were accepted.

    :raises CommandError: when the product cannot be reached or refuses a post.
    """
    by = shift(stream, now=now, speed=speed)
    begun, alerts = time.monotonic(), 0
    for post in stream.posts:
        time.sleep(max(0.0, post.offset_s / speed - (time.monotonic() - begun)))
        body = moved(post.body, by)
        _post(base or settings.BASE_URL, key, body)
        alerts += len(body["alerts"])
        say(f"{post.offset_s:7.1f} s  {len(body['alerts']):5d} alerts  202")
    return len(stream.posts), alerts


def _post(base: str, key: str, body: dict[str, object]) -> None:
    url = urlsplit(base)
    kind = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
    connection = kind(url.hostname or "", url.port, timeout=TIMEOUT_S)
    path = f"{url.path.rstrip('/')}/hooks/alertmanager/{quote(key, safe='')}"
    try:
        data = json.dumps(body, ensure_ascii=False).encode()
        connection.request("POST", path, data, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        text = answer.read(500).decode("utf-8", "replace")
    except OSError as problem:
        raise CommandError(f"{base} cannot be reached: {problem}") from problem
    finally:
        connection.close()
    if answer.status != 202:
        raise CommandError(f"{base} answered {answer.status}: {text}")
