"""Lines known again whatever a client did to them on the way: white space, quotation marks, numbers, escapes.

A key is the CRC-32 of what is left of a line. It proves nothing by itself; who looks for a text asks for many of them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from zlib import crc32

from tslp_litellm.dialects.lines import split_lines

SUBSTANCE_CHARS = 6
"""A shorter line (`else:`, `}`) stands in every text."""
WINDOW_LINES = 8
"""Of so many lines of substance that follow each other, one is an anchor."""
_ESCAPES = {
    "&lt;": "<",
    "&gt;": ">",
    "&quot;": '"',
    "&#34;": '"',
    "&#39;": "'",
    "&#x27;": "'",
    "&apos;": "'",
    "&amp;": "&",
}
_MARKS = re.compile(r"\A(?:>+|\d{1,6}[.)|:→])")
_FENCES = frozenset(["```", "~~~"])
_MARKED = frozenset(">0123456789")


@dataclass(frozen=True, slots=True)
class LineKeys:
    """A text's lines: the key of each, 0 for a blank one, and how many characters are left of it."""

    keys: Sequence[int]
    sizes: Sequence[int]

    def weight(self, of: Collection[int]) -> int:
        """How many characters the lines with one of some keys have."""
        return sum(size for key, size in zip(self.keys, self.sizes, strict=True) if key in of)


def line_keys(text: str) -> LineKeys:
    """The keys of a text's lines, as `split("\\n")` gives them."""
    lines = [_bare(line) for line in split_lines(_unescaped(text))]
    return LineKeys([crc32(line.encode("utf-8", "replace")) for line in lines], [len(line) for line in lines])


def anchors(text: str, found: LineKeys) -> frozenset[int]:
    """Keys by which a text is found: of each block between fences, and of each run of WINDOW_LINES lines of substance,
    the least one; of a text without such lines, the least of all."""
    runs: list[list[int]] = [[]]
    for line, key, size in zip(split_lines(text), found.keys, found.sizes, strict=True):
        if line.lstrip()[:3] in _FENCES:
            runs.append([])
        elif size >= SUBSTANCE_CHARS:
            runs[-1].append(key)
    if not any(runs):
        return frozenset([min(found.keys, key=lambda key: (not key, key))]) - {0}
    return frozenset(key for run in runs if run for key in _least(run))


def _least(run: list[int]) -> set[int]:
    if len(run) <= WINDOW_LINES:
        return {min(run)}
    return set(map(min, *(run[n : len(run) - WINDOW_LINES + 1 + n] for n in range(WINDOW_LINES))))


def _unescaped(text: str) -> str:
    if "&" in text:
        for escape, sign in _ESCAPES.items():
            text = text.replace(escape, sign)
    return text


def _bare(line: str) -> str:
    line = "".join(line.split())
    return _MARKS.sub("", line, 1) if line[:1] in _MARKED else line
