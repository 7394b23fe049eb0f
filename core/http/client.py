"""
The one outgoing HTTP client. The address is checked when the socket opens.

A name is looked up once, every address it gave is judged, and the connection goes to the very
address that was judged; redirects open a socket again, and so are judged again. Private targets
need an administrator's list of hosts and networks (WARROOM_OUTGOING_ALLOWED).
"""

import ipaddress
import socket
from collections.abc import Iterable
from typing import Any

import httpcore
import httpx
from django.conf import settings
from django.utils.translation import gettext as _

from core.errors import Refused

TIMEOUT_S = 10.0
Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class ForbiddenTarget(Refused):
    """The address is inside this network and no administrator allowed it."""

    code = "forbidden_target"


def client(**options: Any) -> httpx.Client:
    transport = httpx.HTTPTransport(retries=0)
    transport._pool._network_backend = _Guarded()  # noqa: SLF001  (httpx has no public way in)
    return httpx.Client(transport=transport, timeout=TIMEOUT_S, trust_env=False, **options)


class _Guarded(httpcore.SyncBackend):
    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        target = judged(host, port)
        return super().connect_tcp(target, port, timeout, local_address, socket_options)


def judged(host: str, port: int) -> str:
    """
    The address to connect to.

    :raises ForbiddenTarget: when any address of the name may not be reached.
    """
    found = [row[4][0] for row in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    addresses = [_plain(ipaddress.ip_address(str(text).split("%")[0])) for text in found]
    for address in addresses:
        if not address.is_global and not _allowed(host, address):
            raise ForbiddenTarget(
                _("%(host)s is inside this network; an administrator can allow it.")
                % {"host": host}
            )
    return str(addresses[0])


def _plain(address: Address) -> Address:
    mapped = getattr(address, "ipv4_mapped", None) or getattr(address, "sixtofour", None)
    return mapped or address


def _allowed(host: str, address: Address) -> bool:
    for entry in settings.OUTGOING_ALLOWED:
        try:
            if address in ipaddress.ip_network(entry, strict=False):
                return True
        except ValueError:
            if entry.lower().rstrip(".") == host.lower().rstrip("."):
                return True
    return False
