"""Thinking in a model's text: what stands before its closing mark, with or without an opening one, is not said.

Marks count where thinking can begin and end: outside of fences that were opened before it.

A mark is a word for thinking between brackets, in whatever way a model's template writes them. Of channels only the
final one speaks (SEMANTICS 2, Positive proof, Thinking).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from tslp_litellm.dialects.fences import fences
from tslp_litellm.dialects.lines import split_lines
from tslp_litellm.parser.budget import spend

_WORDS = (
    r"think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis|monologue|inner_monologue|antthinking|"
    r"rationale|deliberation|unused94|unused95"
)
_MARK = re.compile(
    rf"(?P<bracket>[<\[◁])(?P<slash>/?)\|?(?P<way>/|begin_of_|end_of_|start_|end_|channel>)?(?:\w{{1,20}}[:_-])?"
    rf"(?P<word>{_WORDS})(?:[ \t][^<>\[\]\n]{{0,200}})?\|?(?:[>\]▷]|(?<=t)(?=\n))",
    re.I,
)
_CLOSES = frozenset({"/", "end_of_", "end_"})
_PAIRS = {"unused94": "unused95", "channel>thought": "channel"}
_CHANNEL_END = "<channel|>"
_SEGMENT = re.compile(r"<\|channel\|>(?P<channel>\w{0,40})[^<\n]{0,200}<\|message\|>")
_SEGMENT_END = re.compile(r"<\|(?:end|return|call|start|channel)\|>")
_SPOKEN_START, _SPOKEN_END = re.compile(r"\A\s*Thinking\.\.\.\s*\n"), "...done thinking."


@dataclass(frozen=True, slots=True)
class _Mark:
    """One mark: where it stands, what it is about, and whether it closes."""

    start: int
    end: int
    word: str
    square: bool
    closes: bool


def without_thinking(text: str) -> str:
    """A text without the thinking in it. One that was begun and not ended hides the rest.

    A mark within a line of a fence is code, and so is a pair of them in one fence.
    """
    blocks = Blocks(text)
    if any(at >= 0 and not blocks.holds(at) for at in (text.find("<|channel|>"), text.find("<|message|>"))):
        text = _final(text, blocks)
    if _SPOKEN_START.match(text):
        text = text.partition(_SPOKEN_END)[2]
    return _unmarked(text)


@dataclass(frozen=True, slots=True)
class Block:
    """Where a fence begins and ends in a text, in characters."""

    start: int
    end: int
    closed: bool


class Blocks:
    """The fences of a text by their places; looked for when they are asked for."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _found(self) -> list[Block]:
        found = fences(self._text)
        lines = [0, *accumulate(len(line) + 1 for line in split_lines(self._text))] if found else []
        ends = [min(lines[one.last + 1], len(self._text)) if one.closed else len(self._text) for one in found]
        return [Block(lines[one.first], end, one.closed) for one, end in zip(found, ends, strict=True)]

    def around(self, at: int) -> Block | None:
        """The fence that holds a place."""
        n = bisect_right(self._found, at, key=lambda block: block.start) - 1
        return self._found[n] if n >= 0 and at < self._found[n].end else None

    def holds(self, at: int) -> bool:
        """Whether a place is in a fence that is closed."""
        block = self.around(at)
        return block is not None and block.closed


def _final(text: str, blocks: Blocks) -> str:
    """What was said on the final channel."""
    parts = []
    ends = [match.start() for match in _SEGMENT_END.finditer(text) if not blocks.holds(match.start())]
    for segment in _SEGMENT.finditer(text):
        spend()
        if segment["channel"].lower() == "final" and not blocks.holds(segment.start()):
            n = bisect_left(ends, segment.end())
            parts.append(text[segment.end() : ends[n] if n < len(ends) else len(text)])
    return "\n".join(parts)


def _marks(text: str) -> list[_Mark]:
    found = []
    for match in _MARK.finditer(text):
        spend()
        word = match["word"].lower()
        closes = match["slash"] == "/" or (match["way"] or "").lower() in _CLOSES or word == "unused95"
        found.append(_Mark(match.start(), match.end(), word.replace("95", "94"), match["bracket"] == "[", closes))
    at = text.find(_CHANNEL_END) if found else -1
    while at >= 0:
        found.append(_Mark(at, at + len(_CHANNEL_END), "thought", False, True))
        at = text.find(_CHANNEL_END, at + 1)
    return sorted(found, key=lambda mark: mark.start)


def _unmarked(text: str) -> str:
    """A text without what stands between marks, and without all that stands before a closing one of its own."""
    marks = _marks(text) if any(bracket in text for bracket in "<[◁") else []
    return _Said(text, marks).said() if marks else text


class _Said:
    """What is said of a text so far: its parts, and the place behind which it goes on."""

    def __init__(self, text: str, marks: list[_Mark]) -> None:
        self._text, self._blocks = text, Blocks(text)
        self._marks = [mark for mark in marks if not _is_code(text, mark, self._blocks)]
        self._ends = _closing(self._marks, self._blocks)
        self._beside: dict[str, _Mark] = {}
        self._inside: dict[str, int] = {}
        self._parts: list[str] = []
        self._at = 0

    def said(self) -> str:
        for mark in self._marks:
            if mark.start < self._at:
                continue
            block = self._blocks.around(mark.start)
            if block is None:
                (self._close if mark.closes else self._open)(mark)
            elif not mark.closes:
                self._inside[mark.word] = block.start
            elif self._inside.get(mark.word) != block.start:
                self._doubt(mark, block)
        return "".join([*self._parts, self._text[self._at :]])

    def _open(self, mark: _Mark) -> None:
        if not _begins_line(self._text, mark.start) and not _ends_line(self._text, mark.end):
            self._beside.setdefault(mark.word, mark)
        elif not mark.square or mark.word in self._ends or mark.word == "think":
            end = _end_of(mark, self._ends)
            self._cut(mark.start, len(self._text) if end is None else end)

    def _close(self, mark: _Mark) -> None:
        begun = self._beside.pop(mark.word, None)
        if begun is not None:
            if begun.start >= self._at and "\n" in self._text[begun.end : mark.start]:
                self._cut(begun.start, mark.end)  # a pair within a line is talk about marks
        elif _begins_line(self._text, mark.start) or _ends_line(self._text, mark.end):
            self._parts, self._at = [], mark.end

    def _doubt(self, mark: _Mark, block: Block) -> None:
        """A closing mark in a fence without an opening one there: it may be code, and so what stands before it may be
        said or not, and the fence's own end may be another's. None of it is."""
        self._parts, self._at = [], block.end if block.closed else mark.end

    def _cut(self, start: int, end: int) -> None:
        self._parts.append(self._text[self._at : start])
        self._at = end


def _is_code(text: str, mark: _Mark, blocks: Blocks) -> bool:
    """Whether a mark stands in a line of a fence that holds more than it."""
    if blocks.around(mark.start) is None:
        return False
    end = text.find("\n", mark.end)
    line = text[text.rfind("\n", 0, mark.start) + 1 : mark.start] + text[mark.end : end if end >= 0 else len(text)]
    return bool(line.strip(" \t\r`~"))


_Ends = dict[str, tuple[list[_Mark], list[_Mark]]]
"""By their words, the closing marks outside of fences, and those in them."""


def _closing(marks: list[_Mark], blocks: Blocks) -> _Ends:
    found: _Ends = {}
    for mark in marks:
        if mark.closes:
            found.setdefault(mark.word, ([], []))[blocks.around(mark.start) is not None].append(mark)
    return found


def _end_of(opened: _Mark, ends: _Ends) -> int | None:
    """Where thinking ends that was opened: at its next closing mark outside of a fence, else at the next one in one,
    for a draft may have lacked its end."""
    for marks in ends.get(opened.word, ()):
        n = bisect_left(marks, opened.end, key=lambda mark: mark.start)
        if n < len(marks):
            return marks[n].end
    return None


def _begins_line(text: str, at: int) -> bool:
    return not text[text.rfind("\n", 0, at) + 1 : at].strip(" \t")


def _ends_line(text: str, at: int) -> bool:
    end = text.find("\n", at)
    return not text[at : end if end >= 0 else len(text)].strip(" \t")
