"""SMTP: one connection for a batch, one answer for each message, the server's own words kept."""

import smtplib
import ssl
from dataclasses import dataclass
from email.message import Message
from types import TracebackType
from typing import Self

from django.conf import settings

LIMIT = 500
OK, TAKEN = 250, (250, 251)
GREETING_NAME = "warroom.local"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the other side said. `final`: trying again would not help."""

    ok: bool
    text: str
    final: bool = False


def configured() -> bool:
    """Whether EMAIL_URL names an SMTP server."""
    backend = str(settings.EMAIL_BACKEND).rsplit(".", 2)[-2]
    return bool(settings.EMAIL_HOST) and backend not in {"dummy", "console", "filebased"}


class Mailer:
    """
    A connection to the site's mail server, opened with the first message.

    A message that the server refuses does not end the connection; a connection that breaks is
    opened again for the next message.
    """

    def __init__(self) -> None:
        self._smtp: smtplib.SMTP | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._close()

    def send(self, message: Message, *, to: str) -> Answer:
        try:
            return self._send(message, to)
        except (smtplib.SMTPException, OSError, ValueError) as error:
            self._close()
            return Answer(ok=False, text=_cut(f"{type(error).__name__}: {error}"))

    def _send(self, message: Message, to: str) -> Answer:
        smtp = self._smtp or self._open()
        code, words = smtp.mail(settings.DEFAULT_FROM_EMAIL)
        if code == OK:
            code, words = smtp.rcpt(to)
        if code not in TAKEN:
            smtp.rset()
            return _answer(code, words)
        return _answer(*smtp.data(message.as_bytes()))

    def _open(self) -> smtplib.SMTP:
        context, timeout = ssl.create_default_context(), settings.EMAIL_TIMEOUT or 15
        smtp: smtplib.SMTP
        if settings.EMAIL_USE_SSL:
            smtp = smtplib.SMTP_SSL(
                settings.EMAIL_HOST,
                settings.EMAIL_PORT,
                local_hostname=GREETING_NAME,
                timeout=timeout,
                context=context,
            )
        else:
            smtp = smtplib.SMTP(
                settings.EMAIL_HOST,
                settings.EMAIL_PORT,
                local_hostname=GREETING_NAME,
                timeout=timeout,
            )
        self._smtp = smtp
        if settings.EMAIL_USE_TLS and not settings.EMAIL_USE_SSL:
            smtp.starttls(context=context)
        smtp.ehlo_or_helo_if_needed()
        if settings.EMAIL_HOST_USER:
            smtp.login(settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD)
        return smtp

    def _close(self) -> None:
        if self._smtp is not None:
            self._smtp.close()
        self._smtp = None


def _answer(code: int, words: bytes) -> Answer:
    text = _cut(f"{code} {words.decode(errors='replace')}")
    return Answer(ok=200 <= code < 300, text=text, final=500 <= code < 600)


def _cut(text: str) -> str:
    return text.replace("\x00", "")[:LIMIT]
