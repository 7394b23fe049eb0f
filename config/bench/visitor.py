"""A person without a browser: logs in, opens pages and streams."""

import http.client
import http.cookies
import re
from contextlib import closing
from urllib.parse import urlencode

from config.stack.running import Stack

LOGIN = "/accounts/login/"
PRINTED_LOGIN = re.compile(r"\| +(\S+) / (\S+)$", re.MULTILINE)


class Visitor:
    def __init__(self, stack: Stack) -> None:
        self.port = stack.port
        self.cookies: dict[str, str] = {}
        username, password = PRINTED_LOGIN.findall(stack.said())[0]
        self.get(LOGIN)
        self._send(
            "POST",
            LOGIN,
            {
                "username": username,
                "password": password,
                "csrfmiddlewaretoken": self.cookies["csrftoken"],
            },
        )
        if "sessionid" not in self.cookies:
            raise RuntimeError(f"{username} could not log in")

    def get(self, path: str) -> int:
        return self._send("GET", path)

    @property
    def cookie_header(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    def _send(self, method: str, path: str, form: dict[str, str] | None = None) -> int:
        headers = {"Cookie": self.cookie_header, "Referer": f"http://127.0.0.1:{self.port}{path}"}
        if form:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)) as wire:
            wire.request(method, path, urlencode(form) if form else None, headers)
            answer = wire.getresponse()
            answer.read()
            for line in answer.headers.get_all("Set-Cookie") or []:
                for name, morsel in http.cookies.SimpleCookie(line).items():
                    self.cookies[name] = morsel.value
            return answer.status
