"""Tokens of texts: each counted once, remembered by its content, in bounded memory."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Iterator
from threading import Lock

COUNTS_MAX = 20_000
"""Texts whose count is remembered: some megabytes."""
CHUNK_CHARS, RUN_CHARS = 8_000, 400
"""A text is counted in parts of so many characters; one with a longer run without white space in parts of such runs:
a byte-pair encoder takes the square of a run's length."""


class TokenCounts:
    """Counts by content. `count`: the tokens of a short text."""

    def __init__(self, count: Callable[[str], int], counts_max: int = COUNTS_MAX) -> None:
        self._count, self._counts_max = count, counts_max
        self._known: OrderedDict[bytes, int] = OrderedDict()
        self._lock = Lock()

    def of(self, text: str) -> int:
        """The tokens of a text; of a long one the sum over its parts, which is no less but for a few."""
        if not text:
            return 0
        key = hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
                return self._known[key]
        found = sum(self._count(part) for part in chunks(text))
        with self._lock:
            self._known[key] = found
            while len(self._known) > self._counts_max:
                self._known.popitem(last=False)
        return found


def chunks(text: str) -> Iterator[str]:
    """A text in parts, cut behind a line where one ends in time."""
    longest = max(map(len, text.split()), default=0)
    size = RUN_CHARS if longest > RUN_CHARS else CHUNK_CHARS
    at = 0
    while at < len(text):
        end = min(at + size, len(text))
        cut = text.rfind("\n", at, end) + 1 if end < len(text) else end
        end = cut if cut > at else end
        yield text[at:end]
        at = end
