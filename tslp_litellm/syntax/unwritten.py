"""Functions that were not written: they say that they give back a value, and hold nothing but a comment.

Where there is nothing that a text replaces, this alone is known of a stub in whatever words: no such function can be
whole. One that gives back nothing may do nothing; a comment says why.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from functools import cache
from importlib import resources

from tslp_litellm.syntax.left_out import placeholders
from tslp_litellm.syntax.outline import Kind, Outline, Symbol


@cache
def _heads() -> dict[str, re.Pattern[str]]:
    """By language, what says in the head of a function that it gives back a value."""
    data = json.loads((resources.files("tslp_litellm") / "data" / "results.json").read_text("utf-8"))
    return {
        language: re.compile(row["head"].replace("{params}", data["params"]))
        for row in data["rows"]
        for language in row["languages"]
    }


def gaps(candidate: Outline, base: Outline | None) -> tuple[int, ...]:
    """Byte offsets of what a model left out of a text: what placeholders stand for, and functions without a body."""
    return tuple(sorted({*placeholders(candidate, base), *unwritten(candidate, base)}))


def unwritten(candidate: Outline, base: Outline | None) -> tuple[int, ...]:
    """Byte offsets of functions that have only a comment for a body, and had more or were not there before."""
    head = _heads().get(candidate.language)
    if head is None:
        return ()
    found = [s for s in candidate.symbols if s.kind is Kind.FUNCTION and _is_unwritten(candidate, s, head)]
    known = base.by_name if base is not None else {}
    return tuple(
        s.node_start
        for s in found
        if s.name not in known or base is None or not _is_unwritten(base, known[s.name], head)
    )


HEAD_BYTES_MAX = 2_000
"""The head of a function that holds only comments is no longer."""


def _is_unwritten(seen: Outline, symbol: Symbol, head: re.Pattern[str]) -> bool:
    first = bisect_left(seen.comments, symbol.inner, key=lambda span: span.start)
    for n in range(first, len(seen.comments)):
        start = seen.comments[n].start
        if start >= symbol.node_end or start - symbol.inner > HEAD_BYTES_MAX:
            return False
        before = seen.text[symbol.inner : start]
        if before.rstrip().endswith(b"{"):
            return (
                _holds_comments(seen, n, symbol.node_end) and head.search(before.decode(errors="replace")) is not None
            )
    return False


def _holds_comments(seen: Outline, n: int, end: int) -> bool:
    """Whether from a comment to the end of a body there are nothing but comments."""
    at = seen.comments[n].start
    for span in (seen.comments[m] for m in range(n, len(seen.comments))):
        if span.start >= end or seen.text[at : span.start].strip():
            break
        at = max(at, span.end)
    return seen.text[at : min(end, at + HEAD_BYTES_MAX)].strip().rstrip(b"; \t\r\n") == b"}"
