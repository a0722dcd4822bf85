"""Long texts in short steps: split, joined and searched so that no single call takes long.

A call into C keeps the interpreter to itself until it returns, and a pattern over a megabyte takes up to 100 ms. So
texts are cut at line ends, and patterns are tried where their own words stand, which `str.find` tells. Each piece asks
the visit's budget (SEMANTICS 9).
"""

from __future__ import annotations

import re
import re._constants as sre  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any

from tslp_litellm.parser.budget import spend

PIECE_CHARS = 32_768
"""About how much of a text goes into one call."""
LINES_AT_ONCE = 4096
WINDOW_CHARS = 4096
"""A longer line is searched in windows of so many characters."""
MATCH_CHARS_MAX = 512
"""What windows have in common: no match of a pattern that is tried on lines is longer."""


def pieces(text: str) -> Iterator[tuple[int, int]]:
    """Spans of about PIECE_CHARS, each cut behind a line end; a longer line is a piece of its own."""
    at = 0
    while at < len(text):
        spend()
        end = text.find("\n", at + PIECE_CHARS) + 1 or len(text)
        yield at, end
        at = end


APART = "\f"
"""The line that stays where a file was taken out of a text. It is blank, and parts what stands above it from what is
below."""


def split_lines(text: str) -> list[str]:
    """`text.split("\\n")`."""
    if len(text) <= PIECE_CHARS:
        return text.split("\n")
    found: list[str] = []
    for start, end in pieces(text):
        found += text[start : end - (text[end - 1] == "\n")].split("\n")
    return [*found, ""] if text.endswith("\n") else found


def join_lines(lines: list[str]) -> str:
    """`"\\n".join(lines)`."""
    return "\n".join("\n".join(lines[n : n + LINES_AT_ONCE]) for n in range(0, len(lines), LINES_AT_ONCE))


def with_ends_of(text: str, other: str) -> str:
    """A text with the line ends of another, where that has only one kind of them.

    >>> with_ends_of("a\\r\\nb", "c\\n"), with_ends_of("a\\nb", "c\\r\\n"), with_ends_of("a\\nb", "c\\r\\nd\\n")
    ('a\\nb', 'a\\r\\nb', 'a\\nb')
    """
    ends, returns = other.count("\n"), other.count("\r\n")
    if returns not in (0, ends):
        return text
    bare = text.replace("\r\n", "\n")
    return bare.replace("\n", "\r\n") if returns else bare


def line_from(text: str, at: int, beginning: str) -> int:
    """Where the next line stands that begins so, at a line's start or behind it; -1 where there is none."""
    if text.startswith(beginning, at):
        return at
    hit = text.find("\n" + beginning, at)
    return hit + 1 if hit >= 0 else -1


def line_of(text: str, at: int, mark: str) -> int:
    """Where the next line stands that is only a mark, and blanks behind it; -1 where there is none."""
    at = line_from(text, at, mark)
    while at >= 0 and text[at + len(mark) : (end := line_end(text, at))].strip(" \t\r"):
        at = line_from(text, end, mark)
    return at


def line_end(text: str, at: int) -> int:
    """Where the line ends on which a character stands: its newline, or the text's end."""
    end = text.find("\n", at)
    return end if end >= 0 else len(text)


def without(text: str, spans: Iterable[tuple[int, int]], filler: str = "\n") -> str:
    """The text with spans (in order, apart) replaced by a filler."""
    parts, at = list[str](), 0
    for start, end in spans:
        parts += [text[at:start], filler]
        at = end
    return "".join([*parts, text[at:]])


class Words:
    """Where some words stand next in a text, asked at ever later places: each part is looked through only once."""

    def __init__(self, text: str, words: Iterable[str]) -> None:
        self._text, self._next = text, dict.fromkeys(words, -1)

    def first(self, at: int) -> tuple[int, str] | None:
        """The first of the words at a place or behind it: where, and which; of two at one place, the longer."""
        for word, hit in list(self._next.items()):
            if hit < at:
                found = self._text.find(word, at)
                if found < 0:
                    del self._next[word]
                else:
                    self._next[word] = found
        if not self._next:
            return None
        where, _, word = min((hit, -len(word), word) for word, hit in self._next.items())
        return where, word


def lines_with(text: str, words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Spans of the lines that hold one of the words, without their ends, in order; a word may go over several."""
    at, next_of = 0, Words(text, words)
    while (hit := next_of.first(at)) is not None:
        spend()
        where, word = hit
        end = line_end(text, where + len(word) - word.endswith("\n"))
        yield text.rfind("\n", at, where) + 1 or at, end
        at = end + 1


class LineSearch:
    """A pattern searched for at ever later places of a text, line by line."""

    def __init__(self, pattern: re.Pattern[str], text: str) -> None:
        self._pattern, self._text, self._words = pattern, text, Words(text, words_of(pattern))

    def first(self, at: int) -> re.Match[str] | None:
        """The first match at a place or behind it."""
        while (hit := self._words.first(at)) is not None:
            spend()
            start = self._text.rfind("\n", at, hit[0]) + 1 or at
            end = line_end(self._text, hit[0] + len(hit[1]))
            if match := _on_line(self._pattern, self._text, start, end):
                return match
            at = end + 1
        return None


def on_lines(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """A pattern's first match on each line, in order; positions count in the whole text.

    For patterns whose matches stand within a line and are at most MATCH_CHARS_MAX long: with `re.M`, `^` and `$` are
    the line's ends.
    """
    for start, end in lines_with(text, words_of(pattern)):
        if match := _on_line(pattern, text, start, end):
            yield match


def first_on_lines(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """The first of them."""
    return next(on_lines(pattern, text), None)


def _on_line(pattern: re.Pattern[str], text: str, start: int, end: int) -> re.Match[str] | None:
    while True:
        stop = end if end - start <= WINDOW_CHARS else start + WINDOW_CHARS
        match = pattern.search(text, start, stop)
        if match is not None and (match.end() < stop or stop == end):
            return match
        if stop == end:
            return None
        start = stop - MATCH_CHARS_MAX


# -- what must stand in a text that a pattern matches


@cache
def words_of(pattern: re.Pattern[str]) -> tuple[str, ...]:
    """Words of which one stands in whatever a pattern matches; ValueError where there are none."""
    words = () if pattern.flags & re.I else _words(parser.parse(pattern.pattern, pattern.flags))
    if not words or not all(words):
        raise ValueError(f"no words in {pattern.pattern!r}")
    return tuple(dict.fromkeys(words))


def _words(nodes: Iterable[Any]) -> tuple[str, ...]:
    """Of the places in a sequence at which words must stand, the one whose shortest word is longest."""
    places: list[tuple[str, ...]] = []
    run = ""
    for op, value in nodes:
        if op is sre.LITERAL:
            run += chr(value)
            continue
        places.append((run,))
        run = ""
        places.append(_inner_words(op, value))
    places.append((run,))
    return max(places, key=lambda words: min(map(len, words), default=0))


def _inner_words(op: Any, value: Any) -> tuple[str, ...]:
    if op is sre.SUBPATTERN:
        return _words(value[-1])
    if op is sre.BRANCH:
        branches = [_words(branch) for branch in value[1]]
        return tuple(word for words in branches for word in words) if all(all(b) and b for b in branches) else ()
    if op in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT) and value[0]:
        return _words(value[2])
    return _words(value) if op is sre.ATOMIC_GROUP else ()
