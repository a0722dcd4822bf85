"""How much of one text stands in another, by their lines (SEMANTICS 2, Whole file or fragment)."""

from __future__ import annotations

import re
from collections import Counter

from tslp_litellm.syntax.alignment import hunks
from tslp_litellm.syntax.outline import Outline


def keeps_ends(candidate: Outline, base: Outline) -> bool:
    """Whether a text without symbols can be the whole file: no run of lines is missing at its beginning or end.

    What closes brackets is none."""
    old, new = (_worded(seen.text) for seen in (base, candidate))
    ends = [hunk for hunk in hunks(old, new) if not hunk.old or hunk.old_end == len(old)]
    kept = all(hunk.old_end - hunk.old <= hunk.new_end - hunk.new for hunk in ends)
    return kept and (keeps_most_lines(candidate, base) or len(old) == len(new) == 1)


def keeps_most_lines(candidate: Outline, base: Outline) -> bool:
    """Whether a text without symbols can be the whole file, not a part of it: it has half of the file's lines."""
    return 2 * shared(candidate, base) >= lines_of(base).total()


def shared(a: Outline, b: Outline) -> int:
    """How many lines two texts have in common."""
    return (lines_of(a) & lines_of(b)).total()


def lines_of(seen: Outline) -> Counter[bytes]:
    """The lines of a text that hold a word."""
    return counted(seen.text)


def counted(text: bytes) -> Counter[bytes]:
    """The lines of some bytes that hold a word, without what indents them."""
    return Counter(_worded(text))


def _worded(text: bytes) -> list[bytes]:
    return [line.strip() for line in text.splitlines() if re.search(rb"[\w\x80-\xff]", line)]
