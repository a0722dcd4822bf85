"""One POST to a receiver of webhooks: where it may go, and for how long. It follows no redirection."""

from __future__ import annotations

import contextlib
import http.client
import ipaddress
import socket
import ssl
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

TIMEOUT_S = 10.0
"""For the connection, and for each piece of the answer."""
ANSWER_MAX_BYTES = 16_384
_NAT64 = ipaddress.ip_network("64:ff9b::/96")


class UndeliveredError(Exception):
    """It did not take what was sent."""


def post(url: str, headers: Mapping[str, str], body: bytes, allow_private: bool) -> None:
    """Send it. UndeliveredError where that is not allowed, nobody is there, or the status is none of 200 to 299."""
    where = urlsplit(url)
    host, port = where.hostname or "", where.port or (443 if where.scheme == "https" else 80)
    path = (where.path or "/") + (f"?{where.query}" if where.query else "")
    try:
        with _connected(addresses(host, port, allow_private), port) as plain:
            secure = where.scheme == "https"
            stream = ssl.create_default_context().wrap_socket(plain, server_hostname=host) if secure else plain
            with stream:
                connection = http.client.HTTPConnection(host, port, timeout=TIMEOUT_S)
                connection.sock = stream
                connection.request("POST", path, body, {"Host": where.netloc, **headers})
                answer = connection.getresponse()
                answer.read(ANSWER_MAX_BYTES)
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise UndeliveredError(f"{type(error).__name__}: {error}") from None
    if not 200 <= answer.status < 300:
        raise UndeliveredError(f"HTTP {answer.status}")


def _connected(found: Sequence[str], port: int) -> socket.socket:
    """A connection to the first of these that answers."""
    for one in found[:-1]:
        with contextlib.suppress(OSError):
            return socket.create_connection((one, port), TIMEOUT_S)
    return socket.create_connection((found[-1], port), TIMEOUT_S)


def addresses(host: str, port: int, allow_private: bool) -> list[str]:
    """The addresses that a name stands for now, and that are connected to. None may be private, link-local or otherwise
    not everybody's, unless that is allowed."""
    found = [str(info[4][0]) for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    if not allow_private and (private := [one for one in found if not is_public(one)]):
        raise UndeliveredError(f"{host} is at the private address {private[0]}, and `allow_private` is not set")
    return found


def is_public(text: str) -> bool:
    """Whether an address is everybody's, and what it may be a form of, too."""
    one = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(one, ipaddress.IPv6Address):
        inner = one.ipv4_mapped or one.sixtofour or (one.teredo or (None, None))[1]
        if inner is None and one in _NAT64:
            inner = ipaddress.IPv4Address(int(one) & 0xFFFFFFFF)
        if inner is not None and not is_public(str(inner)):
            return False
        if one.ipv4_mapped is not None:
            return True
    return one.is_global and not one.is_multicast
