"""Patterns looked for in texts of any length, without keeping the interpreter for long.

One search of `re` lets nobody else run until it ends: in a megabyte that may take a tenth of a second, for which the
proxy's event loop would stand still. So a text is searched in stretches of whole lines, and the interpreter is free
between two of them.
"""

from __future__ import annotations

import re

STRETCH_CHARS = 32_000
"""A search of so many characters takes a millisecond or two."""
FORM_CHARS = 2_000
"""A form that stands at a text's end, or within a line longer than a stretch, is no longer than this."""


def find(pattern: re.Pattern[str], text: str, at: int = 0) -> re.Match[str] | None:
    r"""The first match from `at` on, of a pattern whose matches are forms of one line.

    One that begins with `\\A` is tried there alone, one that ends in `\\Z` in the last lines.

    >>> find(re.compile(r"^exit: (\\d+)$", re.M), "a\\nexit: 3\\nb")[1]
    '3'
    """
    if pattern.pattern.startswith(r"\A"):
        return pattern.match(text)
    if pattern.pattern.endswith(r"\Z"):
        last = len(text.rstrip()) - FORM_CHARS
        return pattern.search(text, max(at, text.rfind("\n", 0, last) if last > 0 else 0))
    while at + 2 * STRETCH_CHARS < len(text):
        line = text.rfind("\n", at, at + STRETCH_CHARS) + 1
        end = line or at + STRETCH_CHARS
        if found := pattern.search(text, at, end):
            return found if line or found.end() < end else pattern.search(text, found.start())
        at = line or end - FORM_CHARS
    return pattern.search(text, at)
