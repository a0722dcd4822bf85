"""Thinking in a model's text: what stands before its closing mark, with or without an opening one, is not said.

A mark is a word for thinking between brackets, in whatever way a model's template writes them. Of channels only the
final one speaks (SEMANTICS 2, Positive proof, Thinking).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

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
_BARE_CHANNEL = re.compile(r"\A\s*(?:analysis|commentary)(?=[\sA-Z])")
_BARE_FINAL = "assistantfinal"
_SPOKEN_START, _SPOKEN_END = re.compile(r"\A\s*Thinking\.\.\.\s*\n"), "...done thinking."


_DECORATED = r"[ \t]*+[*_#(~-]{1,3}+[ \t]*+"
_SAID_START = re.compile(rf"^{_DECORATED}(?:start of |begin )?(?:{_WORDS})[ \t.…:]*+[*_#)~-]*+[ \t]*+$", re.I | re.M)
_SAID_END = re.compile(
    rf"^{_DECORATED}(?:end(?: of)?|done|finished|stop)[ \t]++(?:{_WORDS})[ \t.…:]*+[*_#)~-]*+[ \t]*+$", re.I | re.M
)
"""Marks in words, each alone in a line: `*thinking*`, `*end of thinking*`."""


@dataclass(frozen=True, slots=True)
class _Mark:
    """One mark: where it stands, what it is about, and whether it closes."""

    start: int
    end: int
    word: str
    square: bool
    closes: bool


def without_thinking(text: str) -> str:
    """A text without the thinking in it. One that was begun and not ended hides the rest."""
    if "<|channel|>" in text or "<|message|>" in text:
        text = _final(text)
    elif _BARE_CHANNEL.match(text) and _BARE_FINAL in text:
        text = text[text.rindex(_BARE_FINAL) + len(_BARE_FINAL) :]
    if _SPOKEN_START.match(text):
        text = text.partition(_SPOKEN_END)[2]
    return _unmarked(_without_said(text))


def _without_said(text: str) -> str:
    """A text without what stands up to a mark in words that thinking ends, from one that it begins, if there is one."""
    ends = [match.span() for match in _SAID_END.finditer(text)]
    if not ends:
        return text
    starts = [match.start() for match in _SAID_START.finditer(text)]
    parts: list[str] = []
    at = 0
    for start, end in ends:
        spend()
        begun = next((s for s in starts if at <= s < start), None)
        parts = [*parts, text[at:begun]] if begun is not None else []
        at = end
    return "".join([*parts, text[at:]])


def _final(text: str) -> str:
    """What was said on the final channel."""
    parts = []
    for segment in _SEGMENT.finditer(text):
        spend()
        if segment["channel"].lower() == "final":
            end = _SEGMENT_END.search(text, segment.end())
            parts.append(text[segment.end() : end.start() if end else len(text)])
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
    parts: list[str] = []
    at, opened, beside = 0, None, dict[str, _Mark]()
    closing = {mark.word for mark in marks if mark.closes}
    for mark in marks:
        if opened is not None:
            if mark.closes and mark.word == opened.word:
                at, opened = mark.end, None
        elif not mark.closes:
            if not _begins_line(text, mark.start) and not _ends_line(text, mark.end):
                beside.setdefault(mark.word, mark)
            elif not mark.square or mark.word in closing or mark.word == "think":
                parts.append(text[at : mark.start])
                opened = mark
        elif mark.word in beside:
            begun = beside.pop(mark.word)
            if begun.start >= at and "\n" in text[begun.end : mark.start]:  # a pair within a line is talk about marks
                parts.append(text[at : begun.start])
                at = mark.end
        elif _begins_line(text, mark.start) or _ends_line(text, mark.end):
            parts, at = [], mark.end
    return "".join(parts) if opened is not None else "".join([*parts, text[at:]])


def _begins_line(text: str, at: int) -> bool:
    return not text[text.rfind("\n", 0, at) + 1 : at].strip(" \t")


def _ends_line(text: str, at: int) -> bool:
    end = text.find("\n", at)
    return not text[at : end if end >= 0 else len(text)].strip(" \t")
