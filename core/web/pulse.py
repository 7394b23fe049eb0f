"""How the timers are: the pill in the head of every page, and the banner when they are silent."""

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core import queries


@dataclass(frozen=True, slots=True, kw_only=True)
class Pulse:
    text: str
    banner: str

    @property
    def silent(self) -> bool:
        return bool(self.banner)


def read(at: datetime) -> Pulse:
    age = queries.sweep_age(at)
    if age is None:
        text = _("timers never ran")
    elif age < 60:
        text = _("timers %(seconds).1f s") % {"seconds": age}
    else:
        text = _("timers %(minutes)d min") % {"minutes": age // 60}
    silent = age is None or age > queries.SILENT_AFTER_S
    return Pulse(text=text, banner=_banner() if silent else "")


def _banner() -> str:
    return _(
        "The timers are silent: deadlines are not called now. Nothing is lost, they fire when a "
        "worker is back. Watch the clocks yourself and tell whoever runs this site."
    )


@login_required
@require_safe
def pulse(request: HttpRequest) -> JsonResponse:
    now = timezone.now()
    state = read(now)
    return JsonResponse(
        {
            "at": int(now.timestamp() * 1000),
            "text": state.text,
            "silent": state.silent,
            "banner": state.banner,
        },
        headers={"Cache-Control": "no-store"},
    )
