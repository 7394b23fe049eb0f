"""
The live channel: who changed, never what.

A topic's version is the millisecond of its last change, in a sorted set of Valkey, and goes out
by publish. Everything here may be lost: pages fetch what they show, and poll when in doubt.
"""

import time
from functools import lru_cache

import redis
import structlog
from django.conf import settings

log = structlog.get_logger(__name__)
CHANNEL = "warroom:live"
VERSIONS = "warroom:live:versions"


@lru_cache(maxsize=1)
def bus() -> redis.Redis:
    return redis.Redis.from_url(
        settings.REDIS_URL, socket_connect_timeout=0.5, socket_timeout=1, decode_responses=True
    )


def tell(topics: list[str]) -> None:
    if not topics:
        return
    version = int(time.time() * 1000)
    try:
        pipe = bus().pipeline(transaction=False)
        pipe.zadd(VERSIONS, dict.fromkeys(topics, version))
        for topic in topics:
            pipe.publish(CHANNEL, f"{topic} {version}")
        pipe.execute()
    except redis.RedisError:
        log.debug("live bus away", topics=topics)


def versions(topics: list[str]) -> dict[str, int] | None:
    """The version of each topic, 0 for one that never changed; None while the bus is away."""
    if not topics:
        return {}
    try:
        scores = bus().zmscore(VERSIONS, topics)
    except redis.RedisError:
        return None
    return {topic: int(score or 0) for topic, score in zip(topics, scores, strict=True)}
