"""Sound text that a grammar can't read: its errors are the grammar's own (SEMANTICS 3, gate A)."""

from __future__ import annotations

import re

from tslp_litellm.syntax.outline import Outline
from tslp_litellm.syntax.symbols import line_end, line_start


def are_the_grammars(candidate: Outline, base: Outline | None) -> bool:
    """Whether errors are a gap of the grammar, not of the text: each in one line, outside every definition, its
    brackets closed, while every definition of the text before is there and sound."""
    if not candidate.parsed or base is None or not candidate.symbols:
        return False
    spans = [(line_start(candidate.text, e.start), line_end(candidate.text, e.start)) for e in candidate.errors]
    if any(
        error.end > end + 1 or not _is_balanced(candidate.text[start:end])
        for error, (start, end) in zip(candidate.errors, spans, strict=True)
    ):
        return False
    if any(s.start <= error.start < s.end for s in candidate.symbols for error in candidate.errors):
        return False
    return all((after := candidate.by_name.get(s.name)) is not None and after.sound for s in base.symbols)


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
