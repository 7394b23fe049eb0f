"""A sender as monitoring systems are: it posts the stream and repeats what was not answered 202."""

import http.client
import json
import threading
import time
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from django.utils import timezone

from alerts.adapters import streams

PAUSE_SECONDS = 0.3
SPEED = 10.0


@dataclass
class Sender(threading.Thread):
    """Posts the storm's bodies, one after the other, `pace` seconds apart."""

    port: int
    key: str
    pace: float
    receipts: list[str] = field(default_factory=list)
    tries: int = 0
    """How often the product did not answer 202, and the body was sent again."""

    def __post_init__(self) -> None:
        super().__init__(daemon=True)

    __hash__ = threading.Thread.__hash__

    def run(self) -> None:
        stream = streams.load(streams.find("d_"))
        by = streams.shift(stream, now=timezone.now(), speed=SPEED)
        for post in stream.posts:
            began = time.monotonic()
            self.receipts.append(self._deliver(streams.moved(post.body, by)))
            time.sleep(max(0.0, self.pace - (time.monotonic() - began)))

    def _deliver(self, body: dict[str, Any]) -> str:
        while (receipt := self._post(json.dumps(body).encode())) is None:
            self.tries += 1
            time.sleep(PAUSE_SECONDS)
        return receipt

    def _post(self, data: bytes) -> str | None:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            headers = {"Content-Type": "application/json"}
            connection.request("POST", f"/hooks/alertmanager/{self.key}", data, headers)
            answer = connection.getresponse()
            text = answer.read()
        except (OSError, http.client.HTTPException):
            return None
        finally:
            connection.close()
        return str(json.loads(text)["receipt"]) if answer.status == HTTPStatus.ACCEPTED else None
