"""Functions that were not written: they say that they give back a value, and hold nothing but a comment.

Where there is nothing that a text replaces, this alone is known of a stub in whatever words: no such function can be
whole. One that gives back nothing may do nothing; a comment says why.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib import resources

from tslp_litellm.syntax.left_out import placeholders
from tslp_litellm.syntax.outline import Kind, Outline, Symbol

_EMPTY = re.compile(r"\{\s*+\}\s*+;?+\s*+\Z")


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
"""The head of a function, and one that holds only comments, is no longer."""


def _is_unwritten(seen: Outline, symbol: Symbol, head: re.Pattern[str]) -> bool:
    comments = [span for span in seen.comments if symbol.inner <= span.start < symbol.node_end]
    first = next((s for s in comments if seen.text[symbol.inner : s.start].rstrip().endswith(b"{")), None)
    if first is None or first.start - symbol.inner > HEAD_BYTES_MAX:
        return False
    parts, at = [seen.text[symbol.inner : first.start]], first.start
    for span in comments[comments.index(first) :]:
        parts.append(seen.text[at : span.start])
        at = max(at, span.end)
    text = b"".join([*parts, seen.text[at : symbol.node_end]]).decode(errors="replace")
    empty = _EMPTY.search(text)
    return empty is not None and head.search(text[: empty.start() + 1]) is not None
