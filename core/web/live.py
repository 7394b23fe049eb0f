"""
The stream that tells open pages what changed, and the cheap poll for when it cannot be reached.

No data crosses it: a frame is a topic and its version, and the page fetches what it shows. An
open stream holds no database connection, no broker connection and no thread: one subscriber per
process fans out to all of them.
"""

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import urlsplit

import redis
import redis.asyncio
from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.contrib.sessions.models import Session
from django.db import connections
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    JsonResponse,
    StreamingHttpResponse,
)
from django.utils import timezone
from django.views.decorators.http import require_safe

from core import live, registry

CHECK_SESSION_S = 60.0
STILL_HERE_S = 15.0
PERIOD_S = 1.0  # at most one frame per topic and second: the first at once, then the last
MAX_TOPICS = 60


class Fan:
    """One subscription per process; each stream has a set of topics and a mailbox."""

    def __init__(self) -> None:
        self.boxes: dict[asyncio.Queue[tuple[str, int]], frozenset[str]] = {}
        self.task: asyncio.Task[None] | None = None

    @contextlib.asynccontextmanager
    async def box(self, topics: frozenset[str]) -> AsyncIterator[asyncio.Queue[tuple[str, int]]]:
        queue: asyncio.Queue[tuple[str, int]] = asyncio.Queue(maxsize=1000)
        self.boxes[queue] = topics
        if self.task is None or self.task.done():
            self.task = asyncio.create_task(self._listen())
        try:
            yield queue
        finally:
            self.boxes.pop(queue, None)

    async def _listen(self) -> None:
        """Comes back by itself when the bus was away; then every page is told to catch up."""
        first = True
        while self.boxes:
            try:
                async with (
                    redis.asyncio.Redis.from_url(settings.REDIS_URL, decode_responses=True) as bus,
                    bus.pubsub() as channel,
                ):
                    await channel.subscribe(live.CHANNEL)
                    if not first:
                        self._all()
                    first = False
                    await self._pass_on(channel)
            except (redis.RedisError, OSError):
                first = False
                await asyncio.sleep(1)

    async def _pass_on(self, channel: Any) -> None:
        while self.boxes:
            message = await channel.get_message(ignore_subscribe_messages=True, timeout=5)
            if message is None:
                continue
            topic, _, version = str(message["data"]).partition(" ")
            for queue, topics in self.boxes.items():
                if topic in topics and not queue.full():
                    queue.put_nowait((topic, int(version or 0)))

    def _all(self) -> None:
        now = int(time.time() * 1000)
        for queue, topics in self.boxes.items():
            for topic in topics:
                if not queue.full():
                    queue.put_nowait((topic, now))


fan = Fan()


def _topics(request: HttpRequest) -> list[str]:
    """The topics asked for that this person may hear of."""
    asked = [t for t in request.GET.get("topics", "").split(",") if t][:MAX_TOPICS]
    guards = list(registry.live_guards)
    return [t for t in asked if all(guard(request.user, t) for guard in guards)]


@require_safe
async def stream(request: HttpRequest) -> HttpResponseBase:
    opened = await sync_to_async(_opened)(request)
    if opened is None:
        return _cors(request, HttpResponse(status=401))
    key, topics = opened
    response = StreamingHttpResponse(
        _frames(key, topics),
        content_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )
    return _cors(request, response)


def _opened(request: HttpRequest) -> tuple[str, list[str]] | None:
    try:
        if not request.user.is_authenticated:
            return None
        return request.session.session_key or "", _topics(request)
    finally:
        connections.close_all()


def _alive(session_key: str) -> bool:
    try:
        return Session.objects.filter(
            session_key=session_key, expire_date__gt=timezone.now()
        ).exists()
    finally:
        connections.close_all()


async def _frames(session_key: str, topics: list[str]) -> AsyncIterator[str]:
    hello = {"at": int(time.time() * 1000)}
    yield f"retry: 2000\nevent: hello\ndata: {json.dumps(hello)}\n\n"
    checked = time.monotonic()
    async with fan.box(frozenset(topics)) as box:
        while True:
            changed = await _next(box)
            if time.monotonic() - checked > CHECK_SESSION_S:
                checked = time.monotonic()
                if not await sync_to_async(_alive)(session_key):
                    yield "event: bye\ndata: {}\n\n"
                    return
            if not changed:
                yield ": still here\n\n"
                continue
            for topic, version in changed.items():
                data = json.dumps({"topic": topic, "version": version})
                yield f"event: change\ndata: {data}\n\n"
            await asyncio.sleep(PERIOD_S)


async def _next(box: "asyncio.Queue[tuple[str, int]]") -> dict[str, int]:
    """What changed: waits for the first, then takes all that is there. Empty after a while."""
    try:
        topic, version = await asyncio.wait_for(box.get(), STILL_HERE_S)
    except TimeoutError:
        return {}
    changed = {topic: version}
    while not box.empty():
        topic, version = box.get_nowait()
        changed[topic] = version
    return changed


def _cors(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """The embedded run serves streams on a port of their own: same host, other port, is ours."""
    origin = request.headers.get("Origin", "")
    if origin and urlsplit(origin).hostname == urlsplit(f"//{request.get_host()}").hostname:
        response["Access-Control-Allow-Origin"] = origin
        response["Access-Control-Allow-Credentials"] = "true"
        response["Vary"] = "Origin"
    return response


@login_required
@require_safe
def changes(request: HttpRequest) -> JsonResponse:
    """
    The topics that changed after `since` (milliseconds), for pages without a stream.

    While the bus is away every topic counts as changed.
    """
    now = int(time.time() * 1000)
    since = int(request.GET.get("since", "0") if request.GET.get("since", "0").isdigit() else 0)
    topics = _topics(request)
    versions = live.versions(topics)
    if versions is None:
        versions = dict.fromkeys(topics, now)
    changed = {topic: version for topic, version in versions.items() if version > since}
    return JsonResponse({"at": now, "changed": changed}, headers={"Cache-Control": "no-store"})
