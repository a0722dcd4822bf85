"""Server-sent events from bytes that may be cut anywhere."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

_EVENT_END = re.compile(rb"\r\n\r\n|\n\n|\r\r")


class EventParser:
    """Collects bytes and gives the JSON of each finished event's data."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, chunk: bytes | str) -> Iterator[Mapping[str, Any]]:
        """The events that this chunk finishes; data that is no JSON object is passed over."""
        self._rest += chunk.encode(errors="replace") if isinstance(chunk, str) else chunk
        while found := _EVENT_END.search(self._rest):
            event, self._rest = self._rest[: found.start()], self._rest[found.end() :]
            lines = (line[5:].removeprefix(b" ") for line in event.splitlines() if line.startswith(b"data:"))
            try:
                body = json.loads(b"\n".join(lines))
            except ValueError:
                continue
            if isinstance(body, dict):
                yield body
