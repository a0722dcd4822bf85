"""Tokens of texts: each counted once, remembered by its content, in bounded memory."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from threading import Lock

from tslp_litellm.parser.budget import spend

COUNTS_MAX = 20_000
"""Texts whose count is remembered: some megabytes."""
CHUNK_CHARS, RUN_CHARS = 8_000, 400
"""A text is counted in parts of so many characters; one with a longer run without white space in parts of such runs:
a byte-pair encoder takes the square of a run's length."""


class TokenCounts:
    """Counts by content. `count`: the tokens of a short text."""

    def __init__(self, count: Callable[[str], int], counts_max: int = COUNTS_MAX) -> None:
        self._count, self._counts_max = count, counts_max
        self._known: OrderedDict[tuple[int, int], int] = OrderedDict()
        self._lock = Lock()

    def known(self, text: str) -> int | None:
        """The tokens of a text that was counted before."""
        return self._seen(_key(text))

    def of(self, text: str) -> int:
        """The tokens of a text; of a long one the sum over its parts, which is no less but for a few."""
        key = _key(text)
        if (found := self._seen(key)) is None:
            found = sum(self._count(part) for part in _parts(text))
            with self._lock:
                self._known[key] = found
                while len(self._known) > self._counts_max:
                    self._known.popitem(last=False)
        return found

    def _seen(self, key: tuple[int, int]) -> int | None:
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
            return self._known.get(key)


def _key(text: str) -> tuple[int, int]:
    """A text's hash, which it keeps once it was asked for, and its length."""
    return hash(text), len(text)


def _parts(text: str) -> Iterator[str]:
    """A text in parts, cut behind a line where one ends in time."""
    longest = max(map(len, text.split()), default=0)
    size = RUN_CHARS if longest > RUN_CHARS else CHUNK_CHARS
    at = 0
    while at < len(text):
        spend()
        end = min(at + size, len(text))
        line = text.rfind("\n", at, end) + 1 if end < len(text) else end
        end = line if line > at else end
        yield text[at:end]
        at = end
