"""Sound text that a grammar can't read: its errors are the grammar's own (SEMANTICS 3, gate A)."""

from __future__ import annotations

import re

from tslp_litellm.syntax.outline import Outline
from tslp_litellm.syntax.symbols import line_end


def are_the_grammars(candidate: Outline, base: Outline | None) -> bool:
    """Whether errors are a gap of the grammar, not of the text: each in one line that is new, outside every definition,
    while the brackets of all lines that are new or gone are closed, and every definition of the text before is sound.

    A line that stood there before has an error only where something else broke it.
    """
    if not candidate.parsed or base is None or not candidate.symbols:
        return False
    if any(error.end > line_end(candidate.text, error.start) + 1 for error in candidate.errors):
        return False
    if any(s.start <= error.start < s.end for s in candidate.symbols for error in candidate.errors):
        return False
    new, gone = _new_lines(candidate, base), _new_lines(base, candidate)
    if not (candidate.error_lines() - base.error_lines()).keys() <= new or not all(map(_is_balanced, new | gone)):
        return False
    return all((after := candidate.by_name.get(s.name)) is not None and after.sound for s in base.symbols)


def _new_lines(candidate: Outline, base: Outline) -> set[bytes]:
    """The lines outside every definition that did not stand in the text before, stripped."""
    known = {line.strip() for line in base.text.splitlines()}
    top, at, found = iter(candidate.top_level()), 0, set[bytes]()
    inside = next(top, None)
    for line in candidate.text.splitlines(keepends=True):
        while inside is not None and inside.end <= at:
            inside = next(top, None)
        if (inside is None or at < inside.start) and line.strip() not in known:
            found.add(line.strip())
        at += len(line)
    return found


_PAIRS = {b")": b"(", b"]": b"[", b"}": b"{"}


def _is_balanced(line: bytes) -> bool:
    """Whether a line's brackets and quotation marks are closed in it, in order."""
    depth: list[bytes] = []
    bare = re.sub(rb"\"[^\"]*\"|'[^']*'|`[^`]*`", b"", line)
    for mark in re.findall(rb"[()\[\]{}]", bare):
        if mark not in _PAIRS:
            depth.append(mark)
        elif not depth or depth.pop() != _PAIRS[mark]:
            return False
    return not depth and not re.search(rb"[\"`]", bare)
