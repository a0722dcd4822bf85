"""The marks between which our own words stand in a prompt (§8), and what a reader takes for one of them.

Owns the marks. Two and two of them frame what we add; the fifth begins a line that stands in the place of what we left
out of a request (`left_out_line`): it frames nothing, hides nothing of what stands around it, and is left-out code to
whoever finds it in code (SEMANTICS 4, The window). A mark counts as one however it is written: a model does not tell
`[end notice]`, full-width letters or a zero-width space from what we write.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

import regex

BLOCK_START = "[CURRENT STATE: AUTHORITATIVE]"
BLOCK_END = "[END CURRENT STATE]"
NOTICE_START = "[STATE NOTICE]"
NOTICE_END = "[END NOTICE]"
LEFT_OUT = "[STATE LEFT OUT]"

_ENDS = {BLOCK_START: BLOCK_END, NOTICE_START: NOTICE_END}
_SHORTEST_CHARS = 6
"""What may stand between the brackets of the shortest mark, whose letters compatibility forms can contract."""
_INVISIBLE = regex.compile(r"[\p{Cf}\p{Default_Ignorable_Code_Point}]+")
_BRACKETED = re.compile(rf"[\[\uff3b\ufe47]([^\[\]\uff3b\ufe47\uff3d\ufe48]{{{_SHORTEST_CHARS},}}+)[\]\uff3d\ufe48]")
"""Brackets without brackets inside, in each form that NFKC makes one of: every character is looked at once."""


@dataclass(frozen=True, slots=True)
class Marker:
    """One mark in a text: which of them, and where (characters)."""

    mark: str
    start: int
    end: int


def _pattern(mark: str) -> re.Pattern[str]:
    """A mark's words as `_folded` leaves them: invisible characters anywhere, any gap where the mark has one."""
    said = mark[1:-1].casefold().replace(": ", ":")
    words = ["".join(f"{letter}\u200b*+" for letter in word[:-1]) + word[-1] for word in re.split("[ :]", said)]
    gaps = [r"[\s\u200b]*+:[\s\u200b]*+" if sign == ":" else r"[\s\u200b]++" for sign in re.findall("[ :]", said)]
    spelled = words[0] + "".join(gap + word for gap, word in zip(gaps, words[1:], strict=True))
    return re.compile(rf"\A[\s\u200b]*+{spelled}[\s\u200b]*+")


_SPELLED = [(mark, _pattern(mark)) for mark in (BLOCK_START, BLOCK_END, NOTICE_START, NOTICE_END, LEFT_OUT)]


def _folded(inner: str) -> str:
    """What stands between brackets with compatible forms and case folded, each invisible run a zero-width space."""
    if not inner.isascii():
        inner = unicodedata.normalize("NFKC", _INVISIBLE.sub("\u200b", inner))
    return inner.casefold()


def _mark(inner: str) -> str | None:
    """The mark that stands between brackets, if one does."""
    folded = _folded(inner)
    return next((mark for mark, pattern in _SPELLED if pattern.fullmatch(folded)), None)


def markers(text: str) -> Iterator[Marker]:
    """The marks in a text, in order. Linear."""
    for found in _BRACKETED.finditer(text):
        mark = _mark(found[1])
        if mark is not None:
            yield Marker(mark, found.start(), found.end())


def holds_marker(*texts: str) -> bool:
    """Whether a text or a name holds a mark, so that it cannot stand in a frame."""
    return any(next(markers(text), None) is not None for text in texts)


def left_out_line(what: str) -> str:
    """The one line that stands in the place of what was left out. `what` is true whenever it is read again."""
    return f"{LEFT_OUT} {what}"


def left_out_at(text: str) -> list[int]:
    """Where marks of left-out lines begin (characters), however they are written."""
    return [marker.start for marker in markers(text) if marker.mark == LEFT_OUT]


def unframed(text: str) -> str:
    """A text without our blocks and notices; an opened frame that never closes hides the rest."""
    kept, at, wanted = [], 0, ""
    for marker in markers(text):
        if wanted and marker.mark == wanted:
            at, wanted = marker.end, ""
        elif not wanted and marker.mark in _ENDS:
            kept.append(text[at : marker.start])
            wanted = _ENDS[marker.mark]
    return "".join(kept) if wanted else "".join([*kept, text[at:]])
