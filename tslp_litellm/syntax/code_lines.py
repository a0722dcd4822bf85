"""The lines of code of a text, each with the comments above it: what two texts are aligned by.

A comment that all of a bracket, of a block or of an element holds has a line to itself, wherever it stands in one.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from tslp_litellm.syntax.left_out import comments_of
from tslp_litellm.syntax.outline import Outline

HEADER = "\x00"
"""The key of a line that begins a definition begins with this."""
_OPENS, _CLOSES = (b"{", b"[", b"("), (b"}", b"]", b")")
_ELEMENTS = frozenset({"html", "xml", "javascript", "typescript", "tsx"})
"""Languages in which comments may stand between tags."""
_TAGS = {"html": re.compile(rb"<[^<>]*>"), "xml": re.compile(rb"<[^<>]*>")}
"""Languages in which a tag is a line, wherever lines are broken."""
_LEAVES = re.compile(rb"<[^<>/!?][^<>]*>[^<>]*</[^<>]*>|<[^<>]*>")


@dataclass(frozen=True, slots=True)
class Line:
    """A line with code in it. `key`: what it is aligned by; `comments`: those in lines of their own above it;
    from the offset `belongs` on they belong to the definition that it begins; `trailing`: those behind its code."""

    start: int
    code: str
    key: str
    comments: tuple[tuple[int, str], ...]
    belongs: int
    trailing: tuple[tuple[int, str], ...] = ()


def code_lines(seen: Outline, leaves: bool = False) -> list[Line]:
    """The lines of code of a text, a closing one without code at its end. `leaves`: whether an element that holds only
    words is one line."""
    headers = {seen.text.rfind(b"\n", 0, s.inner) + 1: (f"{HEADER}{s.name}", s.start) for s in seen.symbols}
    said = comments_of(seen)
    comments = iter([*said, (len(seen.text) + 1, "")])
    out: list[Line] = []
    pending: list[tuple[int, str]] = []
    trailing: list[tuple[int, str]] = []
    start, comment = next(comments)
    covered = 0
    for at, raw in _pieces(seen, said, leaves):
        end = at + len(raw)
        code, from_here = b"", max(at, covered)
        while start < end:
            code += seen.text[from_here:start]
            (trailing if code.strip() else pending).append((start, comment))
            covered = from_here = max(covered, start + len(comment.encode()))
            start, comment = next(comments)
        code += seen.text[from_here:end]
        text = " ".join(code.decode(errors="replace").split())
        if text:
            key, belongs = headers.get(at, (text, at))
            out.append(Line(at, text, key, tuple(pending), belongs, tuple(trailing)))
            pending, trailing = [], []
    return [*out, Line(len(seen.text), "", "", tuple(pending), len(seen.text))]


def has_tags(seen: Outline) -> bool:
    """Whether a text is of tags, so that its lines may be told in two ways."""
    return seen.language in _TAGS


def within(lines: list[Line], start: int, end: int) -> list[Line]:
    """The lines between two offsets, and what stands at their end."""
    first, last = (bisect_left(lines, at, key=lambda line: line.start) for at in (start, end))
    inside, after = lines[first:last], lines[last] if last < len(lines) else None
    rest = tuple((at, said) for at, said in after.comments if at < end) if after is not None else ()
    return [*inside, Line(end, "", "", rest, end)]


def _pieces(seen: Outline, comments: list[tuple[int, str]], leaves: bool) -> Iterator[tuple[int, bytes]]:
    """The lines of a text, cut where a comment is all that two marks hold; each with its offset."""
    cuts, n, at = sorted(_cuts(seen, comments, leaves)), 0, 0
    for raw in seen.text.splitlines(keepends=True):
        end = at + len(raw)
        while n < len(cuts) and cuts[n] < end:
            if cuts[n] > at:
                yield at, seen.text[at : cuts[n]]
                at = cuts[n]
            n += 1
        yield at, seen.text[at:end]
        at = end


def _cuts(seen: Outline, comments: list[tuple[int, str]], leaves: bool) -> set[int]:
    found: set[int] = set()
    ends = [at + len(said.encode()) for at, said in comments]
    for (start, _), end in zip(comments, ends, strict=True):
        found |= _around(seen, start, end)
    tags = _TAGS.get(seen.language)
    for tag in (_LEAVES if leaves else tags).finditer(seen.text) if tags is not None else ():
        n = bisect_left(ends, tag.end())
        if n == len(comments) or comments[n][0] > tag.start():  # else it stands in a comment
            found |= {tag.start(), tag.end()}
    return found


def _around(seen: Outline, start: int, end: int) -> set[int]:
    """Where a comment begins and ends, and the braces around it that stand between tags, if nothing else is there."""
    before, after = _before(seen.text, start), _after(seen.text, end)
    between_tags = seen.language in _ELEMENTS
    opens, closes = (*_OPENS, *([b">"] * between_tags)), (*_CLOSES, *([b"<"] * between_tags))
    if not before.strip() or not before.rstrip().endswith(opens):
        return set()
    if after.strip() and not after.lstrip().startswith(closes):
        return set()
    found = {start, end}
    if between_tags and before.rstrip().endswith(b"{") and after.lstrip().startswith(b"}"):
        brace, closing = start - len(before) + before.rindex(b"{"), end + after.index(b"}") + 1
        if before.rstrip()[:-1].rstrip().endswith(b">"):
            found |= {brace, closing}
    return found


_NEAR = 400


def _before(text: bytes, at: int) -> bytes:
    """What stands in front of an offset on its line, as far as it is near."""
    return text[max(text.rfind(b"\n", 0, at) + 1, at - _NEAR) : at]


def _after(text: bytes, at: int) -> bytes:
    end = text.find(b"\n", at, at + _NEAR)
    return text[at : end if end >= 0 else at + _NEAR]
