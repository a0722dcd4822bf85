"""Server-sent events from bytes that may be cut anywhere."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

_EVENT_END = re.compile(rb"\r\n\r\n|\n\n|\r\r")
UNFINISHED_BYTES_MAX = 16_000_000
"""An event of more is given up, and the answer with it."""


class EventParser:
    """Collects bytes and gives the JSON of each finished event's data.

    `broken`: something could not be read, so that what was given may lack a part.
    """

    def __init__(self) -> None:
        self._rest, self.broken = bytearray(), False

    def feed(self, chunk: bytes | str) -> Iterator[Mapping[str, Any]]:
        """The events that this chunk finishes; data that is no JSON object is passed over."""
        looked_at = max(0, len(self._rest) - 3)
        self._rest += chunk.encode(errors="replace") if isinstance(chunk, str) else chunk
        events, start = list[bytes](), 0
        for end in _EVENT_END.finditer(self._rest, looked_at):
            events.append(bytes(self._rest[start : end.start()]))
            start = end.end()
        self._rest = self._rest[start:] if start else self._rest
        if len(self._rest) > UNFINISHED_BYTES_MAX:
            self._rest, self.broken = bytearray(), True
        for event in events:
            body = self._body(event)
            if body is not None:
                yield body

    def _body(self, event: bytes) -> Mapping[str, Any] | None:
        lines = (line[5:].removeprefix(b" ") for line in event.splitlines() if line.startswith(b"data:"))
        data = b"\n".join(lines)
        if not data or data.strip() == b"[DONE]":
            return None
        try:
            body = json.loads(data)
        except (ValueError, RecursionError):
            body = None
        if isinstance(body, dict):
            return body
        self.broken = True
        return None
