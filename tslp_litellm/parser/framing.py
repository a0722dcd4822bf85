"""Messages between the proxy and its parser: a header in JSON and a body of bytes, each with its length in front.

Nothing that a process sends is executed to be read: a text may have taken over the process that parsed it.
"""

from __future__ import annotations

import socket
import struct
import time
from typing import Any

import orjson

_LENGTHS = struct.Struct("!IQ")
_PIECE_BYTES = 1 << 20


class ClosedError(Exception):
    """The other side is gone, or has said what is no message."""


def send(channel: socket.socket, header: dict[str, Any], body: bytes = b"") -> None:
    """Send a message; ClosedError where nobody is there any more, TimeoutError by the channel's own time-out."""
    head = orjson.dumps(header)
    try:
        channel.sendall(_LENGTHS.pack(len(head), len(body)) + head)
        if body:
            channel.sendall(body)
    except TimeoutError:
        raise
    except OSError as error:
        raise ClosedError(str(error)) from None


def receive(channel: socket.socket, bytes_max: int, deadline: float | None = None) -> tuple[dict[str, Any], bytes]:
    """The next message. `deadline`: by `time.monotonic()`; TimeoutError behind it. ClosedError at the end."""
    head_bytes, body_bytes = _LENGTHS.unpack(_exactly(channel, _LENGTHS.size, deadline))
    if head_bytes + body_bytes > bytes_max:
        raise ClosedError(f"a message of {head_bytes + body_bytes} bytes")
    head = _exactly(channel, head_bytes, deadline)
    body = _exactly(channel, body_bytes, deadline) if body_bytes else b""
    try:
        header = orjson.loads(head)
    except ValueError:
        raise ClosedError("a header that is no JSON") from None
    if not isinstance(header, dict):
        raise ClosedError("a header that is no object")
    return header, body


def _exactly(channel: socket.socket, count: int, deadline: float | None) -> bytes:
    parts, missing = [], count
    while missing:
        channel.settimeout(None if deadline is None else max(deadline - time.monotonic(), 0.000_001))
        try:
            part = channel.recv(min(missing, _PIECE_BYTES))
        except TimeoutError:
            raise
        except OSError as error:
            raise ClosedError(str(error)) from None
        if not part:
            raise ClosedError("the end")
        parts.append(part)
        missing -= len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)
