"""From a delivery to words: in the reader's language and zone. Values are data, never templates."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo
from email.header import Header
from email.message import Message
from email.mime.text import MIMEText
from email.utils import format_datetime, formataddr
from typing import Any
from urllib.parse import urljoin
from uuid import UUID

from django.conf import settings
from django.template import Context
from django.template.loader import get_template
from django.utils import timezone, translation
from template_partials.templatetags.partials import TemplateProxy

from notifications.models import Delivery

FOLDER = "notifications/messages"
SLUGS = frozenset(
    {
        "incident_call",
        "backup_call",
        "manager_call",
        "next_level_call",
        "last_resort_call",
        "clock_warning",
        "clock_breach",
        "tier_raised",
        "hand_over_offered",
        "no_longer_needed",
        "restored",
        "stood_down",
        "channel_test",
    }
)
LONGEST_VALUE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    subject: str
    body: str
    short: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What a message is made of, whoever wrote it down."""

    template: str
    params: Mapping[str, Any]
    incident_number: int | None
    tier: int
    url: str
    is_drill: bool
    is_repeat: bool = False


def facts_of(delivery: Delivery) -> Facts:
    return Facts(
        template=delivery.template,
        params=delivery.params,
        incident_number=delivery.incident_number,
        tier=delivery.tier,
        url=delivery.url,
        is_drill=delivery.is_drill,
        is_repeat=delivery.is_repeat,
    )


def render(facts: Facts, *, language: str, zone: tzinfo) -> Text:
    """The message as this reader gets it. An unknown slug is told in general words."""
    slug = facts.template if facts.template in SLUGS else "general"
    with translation.override(language), timezone.override(zone):
        values = _values(facts, language)
        parts = [_part(slug, part, values) for part in ("subject", "body", "short")]
    subject, body, short = parts
    return Text(subject=" ".join(subject.split()), body=body, short=" ".join(short.split()))


def mail(
    text: Text, *, name: str, address: str, message_id: UUID, at: datetime, is_repeat: bool
) -> Message:
    """
    The mail of a delivery; its Message-ID is the delivery's, however often it is sent.

    Written with the plain classes of `email`: the modern ones parse every header again and cost
    three times as much, which counts when ten thousand people are called at once.

    :raises ValueError: for an address that would begin another header.
    """
    if not address or any(sign in address for sign in "\r\n<>,"):
        raise ValueError(f"not an address: {address!r}")
    message = MIMEText(text.body, "plain", "utf-8")
    ascii_only = text.subject.isascii()
    message["Subject"] = text.subject if ascii_only else Header(text.subject, "utf-8").encode()
    message["From"] = settings.DEFAULT_FROM_EMAIL
    message["To"] = formataddr((" ".join(name.split()), address), "utf-8")
    message["Date"] = format_datetime(at)
    message["Message-ID"] = f"<{message_id}@warroom>"
    message["Auto-Submitted"] = "auto-generated"
    message["X-WarRoom-Delivery"] = str(message_id)
    if is_repeat:
        message["X-WarRoom-Repeat"] = "yes"
    return message


def _values(facts: Facts, language: str) -> dict[str, Any]:
    params = {name: _value(name, value, language) for name, value in facts.params.items()}
    number = facts.incident_number
    return {
        **params,
        "p": params,
        "number": f"INC-{number}" if number is not None else "",
        "tier": _tier(facts.tier, language),
        "link": urljoin(settings.BASE_URL, _path(facts)),
        "drill": facts.is_drill,
        "repeat": facts.is_repeat,
    }


def _tier(tier: int, language: str) -> str:
    """Tiers are counted in words in Chinese: 二级, 三级."""
    return {1: "一", 2: "二", 3: "三"}.get(tier, str(tier)) if language[:2] == "zh" else str(tier)


def _path(facts: Facts) -> str:
    """A message about an incident leads to its phone page: calls are read on phones."""
    if facts.incident_number is not None:
        return f"/m/{facts.incident_number}/"
    return facts.url if facts.url.startswith("/") else "/"


def _value(name: str, value: Any, language: str) -> Any:
    if isinstance(value, Mapping):
        own = "zh" if language.startswith("zh") else "en"
        value = value.get(own) or value.get("en") or value.get("zh-hans") or ""
    if name.endswith("_at") and isinstance(value, str):
        try:
            return datetime.fromisoformat(value)
        except ValueError:
            return value
    if isinstance(value, str):
        return value[:LONGEST_VALUE]
    return value


def _part(slug: str, part: str, values: Mapping[str, Any]) -> str:
    found: Any = get_template(f"{FOLDER}/{slug}.txt#{part}")
    template: TemplateProxy = found.template
    return str(template.render(Context(values, autoescape=False))).strip()
